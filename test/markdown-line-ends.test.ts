// Line ends in the markup of Chinese and Japanese, which browsers do not show as spaces.
import { expect, test } from "vitest";
import { scrapedWhole } from "./scraped.ts";
import { engineFor, site } from "./start-engine.ts";

test.each([
  [
    "a line goes on without a space",
    "<p>灯台は高い。\n    毎晩\r\n火がともる、\n窓は白い。</p>",
    "灯台は高い。毎晩火がともる、窓は白い。",
  ],
  ["so it does beside quotation marks", "<p>他说：\n“开灯吧。”\n然后走了。</p>", "他说：“开灯吧。”然后走了。"],
  [
    "beside emphasis and links",
    "<p>详见\n<b>手册</b>\n第三章，\n<a href='/m'>灯塔</a>\n的历史。</p>",
    "详见**手册**第三章，[灯塔](/m)的历史。",
  ],
  ["characters beyond the first 65,536 are no exception", "<p>𠮷野\n𠮷田</p>", "𠮷野𠮷田"],
  ["Korean sets spaces", "<p>등대는 높다.\n밤마다\n불이 켜진다.</p>", "등대는 높다. 밤마다 불이 켜진다."],
  [
    "so do words of other scripts, and numbers",
    "<p>灯台は\nLighthouse\nという\n12\n年</p>",
    "灯台は Lighthouse という 12 年",
  ],
  ["a space is a space", "<p>灯台 高い　窓</p>", "灯台 高い 窓"],
  ["parts that may be set apart stay so", "<p><span>灯台守</span>\n<span>今日</span></p>", "灯台守 今日"],
  ["a line that is broken stays broken", "<p>灯台<br>\n高い</p>", "灯台  \n高い"],
  ["code keeps its lines", "<pre>灯台\n高い</pre>", "```\n灯台\n高い\n```"],
])("%s", async (_, html, markdown) => {
  expect(await scrapedWhole(html)).toBe(markdown);
});

test("the title of a page goes on in the same way", async () => {
  const { url } = await site({ "/t": "<title>灯台の\n 手引き\nLighthouse</title><p>高い</p>" });
  const { data } = await engineFor().scrape({ url: `${url}/t` });
  expect(data.metadata.title).toBe("灯台の手引き Lighthouse");
});
