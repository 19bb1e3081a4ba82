/** One engine for programs that want no set-up. It is made at the first call, never at import. */
import { readOptions } from "./assemble-pages.ts";
import { createEngine, type Engine } from "./engine.ts";
import { RequestError } from "./errors.ts";
import type { EngineOptions } from "./options.ts";

let engine: Engine | undefined;
let chosen: EngineOptions = {};

/**
 * Sets the options of the default engine, before it is used for the first time.
 *
 * @throws RequestError `CONFLICT` when it is in use already, `BAD_REQUEST` for options that make no sense
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

/** Closes the default engine, if there is one; the next call makes a new one. */
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
