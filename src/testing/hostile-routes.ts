/**
 * The catalogue of hostile behaviours, each addressed by a path. Values behind the name may be left out.
 *
 * Connections   /slow-headers/ms (0: never)  /drip/ms (0: silent after the first bytes)  /endless-body  /reset  /reset-before-headers
 *               /content-length-short  /content-length-long  /header-flood  /not-http  /refuse-after/times
 * Redirects     /redirect/hops  /redirect-loop  /redirect-forever  /redirect-to?url=…&status=302  /redirect-without-location
 *               /cookie-wall
 * Trouble       /status/code  /too-many-requests/times/seconds  /unavailable/times  /echo
 * Bodies        /encoded/{gzip,deflate,deflate-raw,br,zstd,gzip-twice,not-gzip,truncated-gzip,unknown}  /gzip-bomb/megabytes
 *               /charset/{…see hostile-bodies.ts}  /nul-bytes  /empty  /malformed  /big-page/bytes  /deep/levels
 * Many pages    /page/number  /links/count  /calendar  /graph/pages/fanout/page  /big-robots/bytes
 *               /sitemap/entries  /self-sitemap  /sitemap-index/files/entries
 */
import { bodies } from "./hostile-bodies.ts";
import { connections } from "./hostile-connections.ts";
import { manyPages } from "./hostile-pages.ts";
import { redirects } from "./hostile-redirects.ts";
import type { TestHandler } from "./test-site-answer.ts";

const catalogue: ReadonlyMap<string, TestHandler> = new Map(
  Object.entries({ ...connections, ...redirects, ...bodies, ...manyPages }),
);

/**
 * The behaviour of a path in the catalogue as a route, so that it can be served elsewhere.
 *
 * @example
 * await startTestSite({ "/robots.txt": hostile("/big-robots/5000000"), "/sitemap.xml": hostile("/self-sitemap") });
 */
export function hostile(path: string): TestHandler {
  const [name = "", ...segments] = path.slice(1).split("/");
  const handler = catalogue.get(name);
  if (handler === undefined)
    return () => ({ status: 404, body: "<title>Not found</title><p>There is no such page.</p>" });
  return (exchange) => handler({ ...exchange, segments });
}

/** The names of all behaviours. */
export const hostileNames: readonly string[] = [...catalogue.keys()];
