/** Runs a script in a page's main frame, isolated from the page's own scripts. */
import { saysItLedOn } from "./restless.ts";
import type { Tab } from "./tabs.ts";

type Frame = Pick<Tab, "session" | "frameId">;

/**
 * The script's value, transferred as JSON. Rejects if the script throws or the page goes away; if that has only led on
 * meanwhile, the script runs in the page that came.
 */
export async function runApart<Value>(frame: Frame, script: string): Promise<Value> {
  try {
    return await runOnce<Value>(frame, script);
  } catch (error) {
    if (!saysItLedOn(error)) throw error;
    return await runOnce<Value>(frame, script);
  }
}

async function runOnce<Value>({ session, frameId }: Frame, script: string): Promise<Value> {
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
