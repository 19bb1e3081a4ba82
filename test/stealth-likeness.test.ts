import { expect, test } from "vitest";
import { identityOf } from "../src/fetch/browser/identity.ts";
import { createStealth } from "../src/fetch/browser/stealth.ts";
import type { FetchRequest } from "../src/ports/fetcher.ts";

const request: FetchRequest = {
  url: "https://example.com/",
  headers: {},
  needs: new Set(),
  signal: new AbortController().signal,
  skipTlsVerification: false,
  blockAds: false,
  mobile: false,
  waitFor: 0,
  actions: [],
  proxy: "stealth",
  team: "default",
};

// Straight at the module: what is generated is drawn by lot, and a browser for each of hundreds would take minutes.
test("every likeness of a desktop has a window that fits on its screen", () => {
  const stealth = createStealth();
  const agent = identityOf(request, undefined).agent("150.0.0.0");
  const windows = Array.from({ length: 400 }, () => stealth.likeness(agent).context);
  const misfits = windows.filter(({ viewport, screen }) => {
    if (!viewport || !screen) return true;
    return viewport.width < 1280 || viewport.width > screen.width || viewport.height >= screen.height;
  });
  expect(misfits).toEqual([]);
});

test("no likeness of a desktop draws without a graphics card, as servers do", () => {
  const stealth = createStealth();
  const agent = identityOf(request, undefined).agent("150.0.0.0");
  const scripts = Array.from({ length: 400 }, () => stealth.likeness(agent).script);
  expect(scripts.filter((script) => /swiftshader|llvmpipe/i.test(script)).length).toBe(0);
});
