/** A page that loads itself again and again is read between two times, or fails in a way that is no fault of ours. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("a page that loads itself anew at once", async () => {
  const { url } = await site({ "/": `${page("Restless")}<script>location.reload()</script>` });
  const engine = engineFor();
  const read = () =>
    engine.scrape({ url, waitFor: 1, timeout: 20_000 }).then(
      ({ data }) => data.metadata.statusCode,
      ({ code }) => code,
    );
  // Where the processor has much else to do, no time between two may be long enough.
  const possible = [200, "SCRAPE_SITE_ERROR", "SCRAPE_TIMEOUT"];
  for (const outcome of await Promise.all([read(), read(), read()])) expect(possible).toContain(outcome);
});

test("a page that leads to itself at once, of which a picture is to be taken", async () => {
  const { url } = await site({
    "/": page("Restless").replace("<head>", `<head><meta http-equiv="refresh" content="0;url=/">`),
  });
  const engine = engineFor();
  const read = () =>
    engine.scrape({ url, formats: ["screenshot@fullPage"], timeout: 20_000 }).then(
      ({ data }) => data.metadata.statusCode,
      ({ code }) => code,
    );
  const possible = [200, "SCRAPE_SITE_ERROR", "SCRAPE_TIMEOUT"];
  for (const outcome of await Promise.all([read(), read(), read()])) expect(possible).toContain(outcome);
});
