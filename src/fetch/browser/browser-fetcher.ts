/** The fetcher that opens a page in a browser: it runs scripts, carries out actions and takes pictures. */
import { RequestError } from "../../errors.ts";
import type { Fetcher, FetchNeed, FetchRequest } from "../../ports/fetcher.ts";
import { outside } from "../../shared/outside.ts";
import type { Proxies } from "../proxies.ts";
import { basicCredentials, withoutCredentials } from "../url-credentials.ts";
import { type BrowserSource, findBrowser, noBrowser } from "./find-browser.ts";
import type { Renderer, RendererParts } from "./renderer.ts";

interface BrowserFetcherParts extends RendererParts {
  readonly proxies: Proxies;
}

const abilities: readonly FetchNeed[] = ["render", "waitFor", "actions", "screenshot", "mobile", "location"];
const nothing: ReadonlySet<FetchNeed> = new Set();

export function browserFetcher(parts: BrowserFetcherParts): Fetcher {
  const { options = {}, proxies } = parts;
  const all = new Set([...abilities, ...(proxies.has("stealth") ? (["stealth"] as const) : [])]);
  let looked = false;
  let source: BrowserSource | undefined;
  /** Looks for a browser, once, without starting it. */
  function look(): BrowserSource | undefined {
    if (!looked) source = findBrowser(options);
    looked = true;
    return source;
  }

  let renderer: Promise<Renderer> | undefined;
  let closed = false;
  /** A tenth of this package's code, which is read when the first page needs it. */
  const load = (found: BrowserSource): Promise<Renderer> =>
    outside(async () => {
      const { createRenderer } = await import("./renderer.ts");
      return createRenderer(found, parts);
    }).catch((error) => {
      // A process that had no file handles left may have some for the next page.
      renderer = undefined;
      throw error;
    });

  return {
    name: "browser",
    get can() {
      return look() ? all : nothing;
    },
    async fetch(request) {
      request.signal.throwIfAborted();
      const found = look();
      if (!found) throw noBrowser();
      if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
      renderer ??= load(found);
      const { render } = await renderer;
      const page = withCredentialsAsHeader(request);
      return proxies.through(page, (proxy) => render(page, proxy));
    },
    async close() {
      closed = true;
      const loaded = await renderer?.catch(() => undefined);
      await loaded?.close();
    },
  };
}

/** A browser remembers credentials that it has once sent to a host, and pages can read their own URL. */
function withCredentialsAsHeader(request: FetchRequest): FetchRequest {
  const url = new URL(request.url);
  const authorization = basicCredentials(url);
  if (authorization === undefined) return request;
  return { ...request, url: withoutCredentials(url), headers: { authorization, ...request.headers } };
}
