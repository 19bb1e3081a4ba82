/** Assembles the result of a page: its document, and its price. */
import { randomUUID } from "node:crypto";
import type { Document, DocumentMetadata } from "../contract/document.ts";
import type { Pricing } from "../options.ts";
import type { TransformResult } from "../transform/transform.ts";
import type { MaybeCachedPage } from "./cached-copy.ts";
import type { TrackedChanges, TrackedPage } from "./change-tracking.ts";
import { pageCredits, paysForJson } from "./credits.ts";
import type { ModelFormats } from "./model-formats.ts";

export interface DocumentedPage extends TrackedPage {
  /** Becomes `metadata.sourceURL`; `url` when absent. */
  readonly sourceURL?: string;
  /** Becomes `metadata.scrapeId`; generated if absent. */
  readonly scrapeId?: string;
}

/** What belongs to a page in addition to its own content. */
interface PageExtras {
  readonly changes: TrackedChanges;
  readonly made: ModelFormats;
  readonly pictures: Pick<Document, "screenshot" | "actions">;
  readonly credits: number;
}

/** Credits for the page. */
export function creditsOf(
  pricing: Pricing,
  { options, zeroDataRetention }: DocumentedPage,
  { proxyUsed }: MaybeCachedPage,
  { readPages, isEncoded = false }: TransformResult,
): number {
  // Nobody asks a model about a PDF that was not read.
  const json = paysForJson(options) && !isEncoded;
  return pageCredits({ readPages, json, stealth: proxyUsed === "stealth", zeroDataRetention }, pricing);
}

/** The page in the requested formats, with everything that is known about it. */
export function documentOf(
  request: DocumentedPage,
  fetched: MaybeCachedPage,
  transformed: TransformResult,
  { changes, made, pictures, credits }: PageExtras,
): Document {
  const { formats } = request.options;
  const warning = [transformed.warning, fetched.warning, ...changes.warnings, ...made.warnings]
    .filter((text) => text !== undefined)
    .join(" ");
  return {
    ...(transformed.markdown === undefined || !formats.includes("markdown") ? {} : { markdown: transformed.markdown }),
    ...(transformed.html === undefined ? {} : { html: transformed.html }),
    ...(transformed.rawHtml === undefined ? {} : { rawHtml: transformed.rawHtml }),
    ...(transformed.links === undefined ? {} : { links: transformed.links }),
    ...(changes.changeTracking === undefined ? {} : { changeTracking: changes.changeTracking }),
    ...made.fields,
    ...pictures,
    ...(warning === "" ? {} : { warning }),
    metadata: metadataOf(request, fetched, transformed, credits),
  };
}

function metadataOf(
  request: DocumentedPage,
  fetched: MaybeCachedPage,
  transformed: TransformResult,
  creditsUsed: number,
): DocumentMetadata {
  // A redirect that was not followed leads nowhere that can be fetched.
  const isBad = fetched.statusCode >= 300 && fetched.statusCode !== 304;
  return {
    ...transformed.metadata,
    scrapeId: request.scrapeId ?? randomUUID(),
    sourceURL: request.sourceURL ?? request.url,
    url: fetched.url,
    statusCode: fetched.statusCode,
    ...(isBad ? { error: fetched.statusText } : {}),
    ...(fetched.headers["content-type"] === undefined ? {} : { contentType: fetched.headers["content-type"] }),
    ...(transformed.numPages === undefined ? {} : { numPages: transformed.numPages }),
    proxyUsed: fetched.proxyUsed,
    ...(fetched.cacheState === undefined ? {} : { cacheState: fetched.cacheState }),
    ...(fetched.cachedAt === undefined ? {} : { cachedAt: new Date(fetched.cachedAt).toISOString() }),
    engine: fetched.engine,
    engineReason: fetched.engineReason,
    creditsUsed,
  };
}
