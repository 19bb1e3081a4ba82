/** Filter lists without the package that reads them: a page is refused, and says what to install. */
import { expect, test, vi } from "vitest";
import { engineFor, page, site } from "./start-engine.ts";

vi.mock("../src/fetch/browser/own-require.ts", async (original) => {
  const { ownRequire } = await original<typeof import("../src/fetch/browser/own-require.ts")>();
  return {
    ownRequire() {
      const require = ownRequire();
      const load = (name: string): unknown => {
        if (name.startsWith("@ghostery/")) throw new Error(`Cannot find module '${name}'`);
        return require(name);
      };
      return Object.assign(load, require);
    },
  };
});

test("a page that needs them is refused, others are opened", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ browser: { filterLists: ["/banner.js"] } });
  await expect(engine.scrape({ url, waitFor: 1, timeout: 60_000 })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("npm install @ghostery/adblocker-playwright"),
  });
  const { data } = await engine.scrape({ url, waitFor: 1, blockAds: false });
  expect(data.markdown).toContain("# home");
});
