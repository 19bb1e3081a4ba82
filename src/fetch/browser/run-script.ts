/** Runs a caller's script in the page, as if typed into its console. */
import { errorText } from "../../shared/error-text.ts";
import { asItIs, asJson, type JsonForm } from "./page-values.ts";
import type { Tab } from "./tabs.ts";

/** Most characters of JSON of one result, and how deep it may nest, because readers may be recursive. */
const maxResultLength = 1_000_000;
const maxResultDepth = 100;

interface Outcome {
  readonly result: {
    readonly type: string;
    readonly value?: unknown;
    /** Instead of a value: `NaN`, `-0`, `12n`. */
    readonly unserializableValue?: string;
    /** Instead of a value: an object that is still in the page. */
    readonly objectId?: string;
  };
  /** The script has run, and its value cannot leave the page. */
  readonly isOpaque?: boolean;
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string; readonly className?: string; readonly value?: unknown };
  };
}

const opaque: Outcome = { result: { type: "object" }, isOpaque: true };

interface ScriptResult {
  readonly type: string;
  readonly value: unknown;
  /**
   * The value is null because it is no plain data: for example a window, a function, a big integer, or an element with a
   * framework's properties.
   */
  readonly isOpaque: boolean;
}

/**
 * The value of the script's last expression, or what it returns; a promise is awaited. Rejects if the script throws.
 */
export async function runScript(tab: Tab, script: string): Promise<ScriptResult> {
  // In a block, so that two scripts of one request can declare the same names.
  let outcome = await evaluate(tab, `{${script}\n}`);
  // An `await` outside of functions causes different errors, depending on its context.
  if (isUnparsed(outcome) && /\bawait\b/.test(script) && !isReturn(outcome))
    outcome = await evaluate(tab, script, true);
  // A script with a `return` is run as the body of a function.
  if (isReturn(outcome)) outcome = await evaluate(tab, `(async () => {${script}\n})()`);
  if (outcome.exceptionDetails) throw new Error(messageOf(outcome));
  const { objectId } = outcome.result;
  if (objectId !== undefined) outcome = await fetchObject(tab, objectId, outcome.result.type);
  const { type, unserializableValue } = outcome.result;
  // As in JSON: NaN and Infinity become null, and -0 becomes 0.
  const { value = unserializableValue === "-0" ? 0 : null } = outcome.result;
  if (JSON.stringify(value).length > maxResultLength) throw new Error("the script's result is too large");
  const { isOpaque = type === "bigint" } = outcome;
  return { type: isOpaque ? type : kindOf(type, value), value, isOpaque };
}

/** The type of the value as it is returned; a date is a string. */
function kindOf(type: string, value: unknown): string {
  if (value === null) return type === "object" ? "null" : type;
  return Array.isArray(value) ? "array" : typeof value;
}

function evaluate({ session }: Tab, expression: string, replMode = false): Promise<Outcome> {
  const options = { replMode, awaitPromise: true, userGesture: true };
  return outcomeOf(session.send("Runtime.evaluate", { expression, ...options }) as Promise<Outcome>);
}

async function outcomeOf(evaluation: Promise<Outcome>): Promise<Outcome> {
  try {
    return await evaluation;
  } catch (error) {
    const text = errorText(error);
    // The script has led away from the page, so there is no value any more.
    if (/context was destroyed|navigated or closed|Cannot find context/i.test(text))
      return { result: { type: "undefined" } };
    // Often nobody wanted the value: `$("#more").click()` returns the object on which it is called.
    if (/be returned by value|chain is too long|Internal error|convert response to JSON/i.test(text)) return opaque;
    throw error;
  }
}

/** Transfers an object out of the page as JSON. */
async function fetchObject(tab: Tab, objectId: string, type: string): Promise<Outcome> {
  const call = (functionDeclaration: string, ...values: number[]) => {
    const given = { objectId, functionDeclaration, arguments: values.map((value) => ({ value })), returnByValue: true };
    return outcomeOf(tab.session.send("Runtime.callFunctionOn", given) as Promise<Outcome>);
  };
  const { result, exceptionDetails } = await call(asJson, maxResultLength, maxResultDepth);
  if (result.type === "undefined") return { result };
  const { text, isTooLarge = false, isTooDeep = false } = (result.value ?? {}) as JsonForm;
  if (isTooLarge) throw new Error("the script's result is too large");
  if (isTooDeep) return opaque;
  // Some pages replace `JSON`.
  if (exceptionDetails !== undefined || !["string", "undefined"].includes(typeof text)) {
    const taken = await call(asItIs);
    return taken.exceptionDetails === undefined ? taken : opaque;
  }
  return text === undefined ? { result: { type }, isOpaque: true } : { result: { type, value: JSON.parse(text) } };
}

/** True if none of the script has run; an error that a script throws has a position in it. */
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
