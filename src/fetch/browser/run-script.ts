/** Runs a caller's script in the page, as if typed into its console. */
import type { Tab } from "./tabs.ts";

/** Characters of JSON that one result may take. */
const maxResultLength = 1_000_000;

interface Outcome {
  readonly result: {
    readonly type: string;
    readonly subtype?: string;
    readonly value?: unknown;
    readonly description?: string;
  };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** The value of the script's last expression, or what it returns; a promise is awaited. Rejects when it throws. */
export async function runScript(tab: Tab, script: string): Promise<{ type: string; value: unknown }> {
  let outcome = await evaluate(tab, script);
  // A function body is as good as a program.
  if (/^SyntaxError: Illegal return/.test(messageOf(outcome))) {
    outcome = await evaluate(tab, `(async () => {${script}\n})()`);
  }
  if (outcome.exceptionDetails) throw new Error(messageOf(outcome));
  const { type, subtype, value } = outcome.result;
  if (JSON.stringify(value ?? null).length > maxResultLength) throw new Error("the script's result is too large");
  return { type: subtype === "null" || subtype === "array" ? subtype : type, value: value ?? null };
}

async function evaluate({ session }: Tab, expression: string): Promise<Outcome> {
  try {
    return (await session.send("Runtime.evaluate", {
      expression,
      replMode: true,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as Outcome;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // The script has led the page away: there is no value any more.
    if (/context was destroyed|navigated or closed|Cannot find context/i.test(text))
      return { result: { type: "undefined" } };
    if (/couldn't be returned by value|reference chain is too long/i.test(text))
      throw new Error("the script's result is not plain data");
    throw error;
  }
}

function messageOf({ exceptionDetails }: Outcome): string {
  if (!exceptionDetails) return "";
  return (exceptionDetails.exception?.description ?? exceptionDetails.text).split("\n", 1)[0] ?? "";
}
