/** One engine for programs that need no set-up. It is created at the first call, never at import. */
import { readOptions } from "./assemble-pages.ts";
import { createEngine, type Engine } from "./engine.ts";
import { RequestError } from "./errors.ts";
import type { EngineOptions } from "./options.ts";

let engine: Engine | undefined;
let chosen: EngineOptions = {};

/**
 * Sets the options of the default engine. Call it before anything else uses that engine.
 *
 * @throws RequestError `CONFLICT` when the default engine is in use already, `BAD_REQUEST` when options are invalid
 * @example
 * configure({ network: { allowHosts: ["intranet.example"] } });
 * const { data } = await scrape({ url: "http://intranet.example" });
 */
export function configure(options: EngineOptions): void {
  if (engine !== undefined) {
    throw new RequestError(
      "CONFLICT",
      "The default engine is in use: call configure before anything else, or closeDefaultEngine",
    );
  }
  chosen = readOptions(options);
}

/**
 * Closes the default engine, if there is one. The next call creates a new one, with the options last given to {@link
 * configure}.
 */
export async function closeDefaultEngine(): Promise<void> {
  const open = engine;
  engine = undefined;
  await open?.close();
}

function current(): Engine {
  engine ??= createEngine(chosen);
  return engine;
}

/** {@link Engine.scrape} of the default engine. */
export const scrape: Engine["scrape"] = async (...call) => current().scrape(...call);
/** {@link Engine.crawl} of the default engine. */
export const crawl: Engine["crawl"] = async (...call) => current().crawl(...call);
/** {@link Engine.batchScrape} of the default engine. */
export const batchScrape: Engine["batchScrape"] = async (...call) => current().batchScrape(...call);
/** {@link Engine.map} of the default engine. */
export const map: Engine["map"] = async (...call) => current().map(...call);
/** {@link Engine.search} of the default engine. */
export const search: Engine["search"] = async (...call) => current().search(...call);
/** {@link Engine.extract} of the default engine. */
export const extract: Engine["extract"] = async (...call) => current().extract(...call);
