/** The formats that a model makes from a page that has been fetched and transformed. */
import type { Document } from "../contract/document.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { isTimeout } from "../errors.ts";
import { type ModelCalls, metered } from "../model/model-calls.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { TransformResult } from "../transform/transform.ts";

export interface ModelFormats {
  readonly fields: Pick<Document, "json" | "extract" | "summary">;
  readonly warnings: readonly string[];
  /** Includes those of useless answers. */
  readonly tokens: number;
}

export const noModel = "No language model is configured, so none was asked.";
export const noText = "The page has no text: the model was not asked.";
/** A model cannot read base64, and it costs as much as a long text. */
export const unreadPdf = "The PDF was not read, because parsePDF is false: the model was not asked.";

const none: ModelFormats = { fields: {}, warnings: [], tokens: 0 };

/** Whether a model reads the page, and needs it as markdown. */
export function isReadByModel({ formats }: Pick<ParsedScrapeOptions, "formats">): boolean {
  return formats.includes("json") || formats.includes("extract") || formats.includes("summary");
}

interface AskedPage {
  readonly model: unknown;
  readonly url: string;
  readonly statusCode: number;
  readonly options: ParsedScrapeOptions;
  readonly transformed: TransformResult;
  readonly signal: AbortSignal;
}

/**
 * Never fails because of the model: the page has been scraped, and what the model could not make is null, with a
 * warning.
 *
 * @param signal fires at the page's deadline or when the caller aborts; an abort rejects with the caller's reason
 */
export async function makeModelFormats(allCalls: ModelCalls, page: AskedPage): Promise<ModelFormats> {
  const { options, transformed, model, url, signal } = page;
  if (!isReadByModel(options)) return none;
  const dataFormat = options.formats.includes("json")
    ? "json"
    : options.formats.includes("extract")
      ? "extract"
      : undefined;
  const fields: ModelFormats["fields"] = dataFormat === undefined ? {} : { [dataFormat]: null };
  const reason = whyNotAsked(page);
  if (reason !== undefined) return { ...none, fields, warnings: [reason] };
  const title = typeof transformed.metadata["title"] === "string" ? transformed.metadata["title"] : undefined;
  const { calls, used } = metered(allCalls);
  const request = { model, content: { url, title, text: transformed.markdown ?? "" }, signal };
  const warnings: string[] = [];

  async function data(): Promise<void> {
    if (dataFormat === undefined) return;
    const { makeJson } = await import("../model/json-format.ts");
    const { json, warning } = await makeJson(
      calls,
      request,
      options[dataFormat === "json" ? "jsonOptions" : "extract"] ?? {},
    );
    fields[dataFormat] = json;
    if (warning !== undefined) warnings.push(warning);
  }

  async function summary(): Promise<void> {
    if (!options.formats.includes("summary")) return;
    const { makeSummary } = await import("../model/summary.ts");
    const { summary, warning } = await makeSummary(calls, request);
    if (summary !== undefined) fields.summary = summary;
    if (warning !== undefined) warnings.push(warning);
  }

  // A host's model may ignore the signal.
  const settled = await Promise.allSettled([data(), summary()].map((work) => orAborted(work, signal)));
  for (const outcome of settled) {
    if (outcome.status === "fulfilled") continue;
    if (!isTimeout(outcome.reason)) throw outcome.reason;
    warnings.push(`The model did not answer within the timeout of ${options.timeout} ms.`);
  }
  return { fields, warnings: [...new Set(warnings)], tokens: used() };
}

/** Why no model is asked about the page; undefined if one is. */
function whyNotAsked({ model, statusCode, transformed }: AskedPage): string | undefined {
  if (model === undefined) return noModel;
  // The content of an error page is not what was asked about, and the page may be tried again.
  if (statusCode >= 400) return `The page answered with status ${statusCode}: the model was not asked.`;
  if (transformed.isEncoded) return unreadPdf;
  const hasText = (transformed.markdown ?? "").trim() !== "";
  return hasText ? undefined : noText;
}
