/** A page that loads itself again and again is read between two times, or fails as the site's fault. */
import { expect, test } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

test("a page that loads itself anew at once", async () => {
  const { url } = await site({ "/": `${page("Restless")}<script>location.reload()</script>` });
  const engine = engineFor();
  for (let time = 0; time < 3; time += 1) {
    const outcome = await engine.scrape({ url, waitFor: 1, timeout: 20_000 }).then(
      ({ data }) => data.metadata.statusCode,
      ({ code }) => code,
    );
    expect(outcome).toSatisfy((value) => value === 200 || value === "SCRAPE_SITE_ERROR");
  }
}, 90_000);
