/** What a database with much in it costs: little is read for a little. */

import { expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { cpuTime } from "./cpu-time.ts";

test("the pages of a site that a crawl did not meet are found without reading those of the team's other sites", async () => {
  const storage = sqliteStorage({ path: ":memory:" });
  const { versions } = storage;

  const put = (team: string, site: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const url = `https://${site}.example/${index}`;
        const page = { key: url, url, markdown: "", fingerprint: "", isGone: false, scrapedAt: 1, expiresAt: 9e12 };
        return versions!.put({ ...page, team, tag: null, metIn: { site, jobId: "earlier" } });
      }),
    );

  async function costOfListing(team: string): Promise<number> {
    const begun = cpuTime();
    for (let turn = 0; turn < 200; turn += 1) {
      const unseen = await versions!.listUnseen({ team, tag: null, site: "small", jobId: "now", limit: 100 });
      expect(unseen).toHaveLength(3);
    }
    return cpuTime() - begun;
  }

  for (const team of ["one site", "many sites"]) await put(team, "small", 3);
  await put("many sites", "large", 4_000);
  await costOfListing("one site");
  const alone = await costOfListing("one site");
  expect(await costOfListing("many sites")).toBeLessThan(3 * alone + 40);
  await storage.close();
});
