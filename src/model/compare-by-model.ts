/** Change tracking in `json` mode: the values that differ between two versions of a page, field by field. */
import type { JsonOptions } from "../contract/model-options.ts";
import { type ModelRequest, makeJson } from "./json-format.ts";
import { canonicalJson, isObject, type JsonObject, plainJson, setKey } from "./json-value.ts";
import type { ModelCalls } from "./model-calls.ts";

export interface ComparisonResult {
  /** `{ price: { previous: 20, current: 25 } }`: only what differs; null if the model gave no answer. */
  readonly json: unknown;
  readonly warning?: string;
}

/**
 * Takes the data from both versions in the same way and compares it here, so that a model cannot invent a change.
 *
 * @param request the present page; `previous` is the earlier markdown
 */
export async function compareByModel(
  calls: ModelCalls,
  request: ModelRequest,
  previous: string,
  options: Pick<JsonOptions, "schema" | "prompt">,
): Promise<ComparisonResult> {
  const [before, now] = await Promise.all([
    makeJson(calls, { ...request, content: { ...request.content, text: previous } }, options),
    makeJson(calls, request, options),
  ]);
  const warning = [...new Set([before.warning, now.warning])].filter((text) => text !== undefined).join(" ");
  const isKnown = before.json !== null && now.json !== null;
  // A schema may convert values to what has no keys to compare, or is no JSON.
  const json = isKnown ? differences(plainJson(before.json), plainJson(now.json)) : null;
  return { json, ...(warning === "" ? {} : { warning }) };
}

/** Objects are compared field by field; lists and plain values as a whole. */
export function differences(previous: unknown, current: unknown): JsonObject {
  const result: JsonObject = {};
  const keys = new Set([...keysOf(previous), ...keysOf(current)]);
  for (const key of keys) {
    const before = ownValue(previous, key);
    const now = ownValue(current, key);
    if (isObject(before) && isObject(now)) {
      const inner = differences(before, now);
      if (Object.keys(inner).length > 0) setKey(result, key, inner);
    } else if (canonicalJson(before) !== canonicalJson(now)) {
      setKey(result, key, { previous: before ?? null, current: now ?? null });
    }
  }
  if (keys.size === 0 && canonicalJson(previous) !== canonicalJson(current)) return { previous, current };
  return result;
}

/** Whatever the key is called: every object inherits a `constructor`. */
function ownValue(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
