/** Runs a caller's script in the page, as if typed into its console. */
import { errorText } from "../../contract/error-text.ts";
import type { Tab } from "./tabs.ts";

/** Characters of JSON that one result may take. */
const maxResultLength = 1_000_000;

interface Outcome {
  readonly result: {
    readonly type: string;
    readonly value?: unknown;
    /** In place of the value, of what is no primitive. */
    readonly objectId?: string;
    /** In place of the value: `NaN`, `-0`, `12n`. */
    readonly unserializableValue?: string;
  };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string; readonly className?: string; readonly value?: unknown };
  };
}

export interface ScriptResult {
  readonly type: string;
  readonly value: unknown;
  /** The value is null in place of what is no plain data: a window, an element with a framework's marks. */
  readonly isOpaque: boolean;
}

/** The value of the script's last expression, or what it returns, as JSON has it; a promise is awaited. Rejects when it throws. */
export async function runScript(tab: Tab, script: string): Promise<ScriptResult> {
  // In a block, so that two scripts of one request may declare the same names.
  let outcome = await evaluate(tab, `{${script}\n}`);
  // An `await` outside of functions has many names as an error, by what it stands in.
  if (isUnparsed(outcome) && /\bawait\b/.test(script) && !isReturn(outcome))
    outcome = await evaluate(tab, script, true);
  // The body of a function is as good as a program.
  if (isReturn(outcome)) outcome = await evaluate(tab, `(async () => {${script}\n})()`);
  if (outcome.exceptionDetails) throw new Error(messageOf(outcome));
  const { result } = outcome;
  if (result.type === "object" && result.objectId !== undefined) return readObject(tab, result.objectId);
  // No NaN and no Infinity, but a zero, whatever its sign.
  const { value = result.unserializableValue === "-0" ? 0 : null } = result;
  if (typeof value === "string" && value.length > maxResultLength) throw tooLarge();
  return { type: kindOf(value, result.type), value, isOpaque: false };
}

/** The page turns it into JSON itself, as its dates and its own classes want it: by value a date would be an empty object. */
async function readObject(tab: Tab, objectId: string): Promise<ScriptResult> {
  const functionDeclaration = "function () { return JSON.stringify(this) }";
  const options = { functionDeclaration, objectId, returnByValue: true };
  const { value: text } = (await send(tab, "Runtime.callFunctionOn", options)).result;
  // Often nobody asked for it: `$("#more").click()` ends with what it is called on.
  if (typeof text !== "string") return { type: "object", value: null, isOpaque: true };
  if (text.length > maxResultLength) throw tooLarge();
  const value: unknown = JSON.parse(text);
  return { type: kindOf(value, "object"), value, isOpaque: false };
}

function tooLarge(): Error {
  return new Error("the script's result is too large");
}

function kindOf(value: unknown, type: string): string {
  if (Array.isArray(value)) return "array";
  if (value === null) return type === "object" ? "null" : type;
  return typeof value;
}

function evaluate(tab: Tab, expression: string, replMode = false): Promise<Outcome> {
  return send(tab, "Runtime.evaluate", { expression, replMode, awaitPromise: true, userGesture: true });
}

async function send({ session }: Tab, method: string, options: object): Promise<Outcome> {
  try {
    return (await session.send(method as "Runtime.evaluate", options as never)) as Outcome;
  } catch (error) {
    // The script has led the page away: there is no value any more.
    if (/context was destroyed|navigated or closed|Cannot find context|Could not find object/i.test(errorText(error)))
      return { result: { type: "undefined" } };
    throw error;
  }
}

/** Nothing of the script has run: an error that a script throws comes from a place in it. */
function isUnparsed({ exceptionDetails }: Outcome): boolean {
  const { className, description = "" } = exceptionDetails?.exception ?? {};
  return className === "SyntaxError" && !/\n +at /.test(description);
}

function isReturn(outcome: Outcome): boolean {
  return isUnparsed(outcome) && messageOf(outcome).includes("Illegal return");
}

function messageOf({ exceptionDetails }: Outcome): string {
  if (!exceptionDetails) return "";
  const { text, exception } = exceptionDetails;
  const thrown = exception !== undefined && "value" in exception ? JSON.stringify(exception.value) : "";
  return (exception?.description ?? `${text} ${thrown}`).split("\n", 1)[0] ?? "";
}
