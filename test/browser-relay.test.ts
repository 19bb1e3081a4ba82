/** The bytes that pass between the browser and a site, in both directions. */
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { join } from "../src/fetch/relay.ts";

test("what a site has sent before it ends the connection arrives, however late it is read", async () => {
  const [site, ofSite] = duplexPair({ allowHalfOpen: false });
  // It takes no more than the first words before somebody reads them.
  const [ofBrowser, browser] = duplexPair({ readableHighWaterMark: 8, writableHighWaterMark: 1_000 });
  join(ofSite, ofBrowser);
  site.resume().write("a page that ");
  site.end("nobody has begun to read");
  await once(ofSite, "close");
  expect(Buffer.concat(await browser.toArray()).toString()).toBe("a page that nobody has begun to read");
});

test("a connection that breaks off ends the other at once", async () => {
  const [, ofSite] = duplexPair({ allowHalfOpen: false });
  const [ofBrowser, browser] = duplexPair();
  browser.on("error", () => {});
  join(ofSite, ofBrowser);
  ofSite.destroy();
  await once(ofBrowser, "close");
  expect(ofBrowser.destroyed).toBe(true);
});
