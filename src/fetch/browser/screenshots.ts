/** Pictures of a page. */
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

/** PNG, or JPEG with a quality. */
export async function takePicture(
  tab: Tab,
  options: { readonly fullPage: boolean; readonly quality?: number | undefined },
): Promise<Picture> {
  const format: Parameters<Page["screenshot"]>[0] = {
    ...(options.quality === undefined ? { type: "png" } : { type: "jpeg", quality: options.quality }),
    animations: "disabled",
    caret: "hide",
    timeout: 0,
  };
  if (!options.fullPage) return { bytes: await tab.page.screenshot(format) };
  await runApart(tab, showEverything);
  const [width, height] = await runApart<[number, number]>(tab, pageSize);
  const scale = await runApart<number>(tab, "devicePixelRatio");
  const limit = Math.floor(maxHeight / Math.max(scale, 1));
  if (height <= limit) return { bytes: await tab.page.screenshot({ ...format, fullPage: true }) };
  return {
    bytes: await tab.page.screenshot({ ...format, fullPage: true, clip: { x: 0, y: 0, width, height: limit } }),
    warning: `The page is ${height} pixels tall; its picture shows the first ${limit}.`,
  };
}
