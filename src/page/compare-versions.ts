/** Change tracking in mode `json`: a model takes the data from both versions of a page. */
import type { ParsedChangeTrackingOptions } from "../contract/model-options.ts";
import { isTimeout } from "../errors.ts";
import { compareByModel } from "../model/compare-by-model.ts";
import { describeChange } from "../model/describe-change.ts";
import { type ModelCalls, metered } from "../model/model-calls.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { noModel } from "./model-formats.ts";

export interface ComparedVersions {
  /** What differs: field by field with a schema, otherwise as the model puts it; null if the model could not say. */
  readonly json: unknown;
  readonly warning?: string | undefined;
  readonly tokens: number;
}

/** Never fails because of the model: the page has been scraped, and whether it changed is known. */
export async function compareVersions(
  allCalls: ModelCalls,
  page: {
    readonly model: unknown;
    readonly url: string;
    readonly previous: string;
    readonly current: string;
    readonly signal: AbortSignal;
  },
  { schema, prompt }: ParsedChangeTrackingOptions,
): Promise<ComparedVersions> {
  const { model, url, previous, current, signal } = page;
  if (model === undefined) {
    return { json: null, warning: noModel, tokens: 0 };
  }
  const { calls, used } = metered(allCalls);
  const request = { model, content: { url, title: undefined, text: current }, signal };
  const compare =
    schema === undefined
      ? describeChange(calls, request, previous, prompt, () => differenceOf(previous, current, signal))
      : compareByModel(calls, request, previous, { schema, prompt });
  try {
    // A schema of a library may never come to an end.
    const { json, warning } = await orAborted(compare, signal);
    return { json, warning, tokens: used() };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { json: null, warning: "The model did not answer within the timeout.", tokens: used() };
  }
}

async function differenceOf(previous: string, current: string, signal: AbortSignal): Promise<string> {
  const { diffMarkdown } = await import("./markdown-diff.ts");
  return (await diffMarkdown(previous, current, signal))?.text ?? "";
}
