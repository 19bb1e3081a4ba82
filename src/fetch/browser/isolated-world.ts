/** Runs a script in a page's main frame, isolated from the page's own scripts. */
import type { Tab } from "./tabs.ts";

/** The script's value, transferred as JSON. Rejects if the script throws or the page goes away. */
export async function runApart<Value>(
  { session, frameId }: Pick<Tab, "session" | "frameId">,
  script: string,
): Promise<Value> {
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName: "crawlcore" });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: script,
    contextId: executionContextId,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Value;
}
