/** Pictures of a page. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { runApart } from "./isolated-world.ts";
import { pageSize, showEverything } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  readonly warning?: string;
}

/** Browsers draw no taller pictures, in pixels. */
const maxHeight = 16_000;

/** For the fonts of the page and its frames; readers see the text in another font before. */
const fontsLimitMs = 3_000;

interface PictureOptions {
  readonly fullPage: boolean;
  readonly quality?: number | undefined;
}

/** What of the page is pictured, in CSS pixels. */
interface Part {
  readonly width: number;
  readonly height: number;
  /** The page goes on below. */
  readonly isCut: boolean;
}

/** PNG, or JPEG with a quality. */
export async function takePicture(tab: Tab, { fullPage, quality }: PictureOptions): Promise<Picture> {
  if (!fullPage) return { bytes: await draw(tab, quality) };
  await runApart(tab, showEverything);
  const [width, height] = await runApart<[number, number]>(tab, pageSize);
  const scale = await runApart<number>(tab, "devicePixelRatio");
  const limit = Math.floor(maxHeight / Math.max(scale, 1));
  const isCut = height > limit;
  const bytes = await draw(tab, quality, { width, height: isCut ? limit : height, isCut });
  if (!isCut) return { bytes };
  return { bytes, warning: `The page is ${height} pixels tall; its picture shows the first ${limit}.` };
}

/** Without a part: what the window shows. */
async function draw(tab: Tab, quality: number | undefined, part?: Part): Promise<Uint8Array> {
  const { page, session } = tab;
  const clip = part && { x: 0, y: 0, width: part.width, height: part.height };
  if (await hasFonts(page)) {
    return page.screenshot({
      ...(quality === undefined ? { type: "png" } : { type: "jpeg", quality }),
      fullPage: part !== undefined,
      ...(part?.isCut ? { clip } : {}),
      animations: "disabled",
      caret: "hide",
      timeout: 0,
    });
  }
  // Playwright would wait for a font that never comes.
  const { data } = await session.send("Page.captureScreenshot", {
    ...(quality === undefined ? { format: "png" } : { format: "jpeg", quality }),
    ...(clip ? { captureBeyondViewport: true, clip: { ...clip, scale: 1 } } : {}),
  });
  return Buffer.from(data, "base64");
}

async function hasFonts(page: Page): Promise<boolean> {
  const end = new AbortController();
  const loaded = page.frames().map((frame) => frame.evaluate("document.fonts.ready.then(() => 0)").catch(() => {}));
  try {
    return await Promise.race([
      Promise.all(loaded).then(() => true),
      sleep(fontsLimitMs, false, { signal: end.signal }),
    ]);
  } finally {
    end.abort();
  }
}
