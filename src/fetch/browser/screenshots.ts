/** Pictures of a page. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { runApart } from "./isolated-world.ts";
import { drawn, type PageSize, pageSize, scrolledBy, scrollOn, scrollTo } from "./page-scripts.ts";
import type { Network } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { within } from "./within.ts";

interface Picture {
  readonly bytes: Uint8Array;
  readonly warning?: string;
}

/** The largest side of a picture that browsers draw, in pixels. */
const maxSide = 16_000;
/** The largest area, in pixels: a browser that draws a much larger picture crashes, and with it the pages of others. */
const maxArea = 80_000_000;

/** Screenfuls that are scrolled through before a picture of the whole page, and most milliseconds for each to be drawn. */
const maxSteps = 40;
const drawnLimitMs = 3_000;
/** Most milliseconds for all of them. */
const drawingMs = 8_000;
/** Milliseconds for each, without knowing when. */
const stepMs = 30;
/** What has been seen has come when there has been no request for this time. */
const quietMs = 150;

/** Milliseconds to wait for the fonts of the page and its frames; until then, text is shown in another font. */
const fontsLimitMs = 3_000;

interface PictureOptions {
  readonly fullPage: boolean;
  readonly quality?: number | undefined;
}

/** Takes a picture: PNG, or JPEG with a quality. */
export type TakePicture = (options: PictureOptions) => Promise<Picture>;

/** The part of the page that is captured, in CSS pixels. */
interface Part {
  readonly width: number;
  readonly height: number;
  /** The page continues below or beside it. */
  readonly isCut: boolean;
  /** If below 1, the picture has fewer pixels than the device. */
  readonly scale: number;
  readonly hasBody: boolean;
}

/**
 * For one request: what its pages load when they are seen is waited for `totalMs` at most, because some never come to
 * rest.
 */
export function createTakePicture(
  tab: Tab,
  network: Network,
  { totalMs, signal }: { readonly totalMs: number; readonly signal: AbortSignal },
): TakePicture {
  let restMs = totalMs;
  return async (options) => {
    if (!options.fullPage) return { bytes: await draw(tab, options.quality) };
    // Actions that follow go on where the page is.
    const place = await runApart<number>(tab, scrolledBy);
    // What begins to load now is waited for: the rest has been, or is by the steps that follow.
    const earlier = network.pending();
    if (await showEverything(tab)) {
      const begun = performance.now();
      await network.quiet(quietMs, restMs, signal, earlier);
      // A page that rests costs nothing, however many its pictures are.
      restMs -= Math.max(performance.now() - begun - quietMs, 0);
    }
    const picture = await drawWhole(tab, options.quality);
    if (place > 0) await runApart(tab, scrollTo(place));
    return picture;
  };
}

async function drawWhole(tab: Tab, quality: number | undefined): Promise<Picture> {
  const page = await runApart<PageSize>(tab, pageSize);
  const part = partOf(page);
  const bytes = await draw(tab, quality, part);
  const warnings = [
    part.height < page.height && `The page is ${page.height} pixels tall; its picture shows the first ${part.height}.`,
    part.width < page.width && `The page is ${page.width} pixels wide; its picture shows the first ${part.width}.`,
  ].filter((text) => text !== false);
  return warnings.length === 0 ? { bytes } : { bytes, warning: warnings.join(" ") };
}

/**
 * Scrolls down and back up, so that what is loaded when seen begins to load; false if all was seen before. A page whose
 * first screenful is not drawn in time, for instance since it may run no scripts, is not waited for again.
 */
async function showEverything(tab: Tab): Promise<boolean> {
  const until = performance.now() + drawingMs;
  let canBeDrawn = true;
  let step = 0;
  for (; step < maxSteps && (await runApart<boolean>(tab, scrollOn)); step += 1) {
    const limitMs: number = canBeDrawn ? Math.min(drawnLimitMs, until - performance.now()) : 0;
    // A page that has led on meanwhile is not drawn.
    const isDrawn: boolean = limitMs > 0 && (await within(runApart(tab, drawn), limitMs).catch(() => false));
    if (!isDrawn) await sleep(stepMs);
    if (step === 0) canBeDrawn = isDrawn;
  }
  await runApart(tab, scrollTo(0));
  return step > 0;
}

/**
 * A phone has several device pixels for each CSS pixel. If its picture would be too large, it has one, rather than
 * being cut.
 */
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

/** Without a part, the visible part is captured. */
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
  // Playwright would wait for a font, too.
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
