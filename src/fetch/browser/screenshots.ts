/** Pictures of a page. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { runApart } from "./isolated-world.ts";
import { type PageSize, pageSize, scrollOn, scrollToTop } from "./page-scripts.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  readonly warning?: string;
}

/** Browsers draw no taller pictures, in pixels. */
const maxSide = 16_000;
/** All sides together: a browser that draws much larger ones ends, and with it the pages of others. */
const maxArea = 80_000_000;

/** Screens that are shown before a picture of the whole page, and milliseconds for each. */
const maxSteps = 40;
const stepMs = 30;

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
  /** The page goes on below, or beside. */
  readonly isCut: boolean;
  /** Below 1: not all pixels that the device has. */
  readonly scale: number;
  readonly hasBody: boolean;
}

/** PNG, or JPEG with a quality. */
export async function takePicture(tab: Tab, { fullPage, quality }: PictureOptions): Promise<Picture> {
  if (!fullPage) return { bytes: await draw(tab, quality) };
  await showEverything(tab);
  const page = await runApart<PageSize>(tab, pageSize);
  const part = partOf(page);
  const bytes = await draw(tab, quality, part);
  const warnings = [
    part.height < page.height && `The page is ${page.height} pixels tall; its picture shows the first ${part.height}.`,
    part.width < page.width && `The page is ${page.width} pixels wide; its picture shows the first ${part.width}.`,
  ].filter((text) => text !== false);
  return warnings.length === 0 ? { bytes } : { bytes, warning: warnings.join(" ") };
}

/** Scrolls down and back up, so that pictures which load when seen do so. By timers of ours: a page may have none. */
async function showEverything(tab: Tab): Promise<void> {
  for (let step = 0; step < maxSteps && (await runApart<boolean>(tab, scrollOn)); step += 1) await sleep(stepMs);
  await runApart(tab, scrollToTop);
}

/** A phone has several pixels in one of the page's; its picture has one, rather than a part of the page. */
function partOf(page: PageSize): Part {
  const sharp = fitting(page, Math.max(page.scale, 1));
  return sharp.isCut && page.scale > 1 ? fitting(page, 1) : sharp;
}

function fitting({ width, height, scale, hasBody }: PageSize, pixels: number): Part {
  const side = Math.floor(maxSide / pixels);
  const part = { width: Math.min(width, side), height: Math.min(height, side) };
  part.height = Math.min(part.height, Math.floor(maxArea / pixels ** 2 / part.width));
  return { ...part, scale: pixels / Math.max(scale, 1), isCut: part.width < width || part.height < height, hasBody };
}

/** Without a part: what the window shows. */
async function draw(tab: Tab, quality: number | undefined, part?: Part): Promise<Uint8Array> {
  const { page, session } = tab;
  const clip = part && { x: 0, y: 0, width: part.width, height: part.height };
  // Playwright would wait for a body that never comes.
  if (part?.hasBody !== false && (await hasFonts(page))) {
    return page.screenshot({
      ...(quality === undefined ? { type: "png" } : { type: "jpeg", quality }),
      fullPage: part !== undefined,
      ...(part?.isCut ? { clip } : {}),
      scale: part && part.scale < 1 ? "css" : "device",
      animations: "disabled",
      caret: "hide",
      timeout: 0,
    });
  }
  // And for a font.
  const { data } = await session.send("Page.captureScreenshot", {
    ...(quality === undefined ? { format: "png" } : { format: "jpeg", quality }),
    ...(clip ? { captureBeyondViewport: true, clip: { ...clip, scale: part.scale } } : {}),
  });
  return Buffer.from(data, "base64");
}

async function hasFonts(page: Page): Promise<boolean> {
  const loaded = page.frames().map((frame) => frame.evaluate("document.fonts.ready.then(() => 0)").catch(() => {}));
  return within(Promise.all(loaded), fontsLimitMs);
}
