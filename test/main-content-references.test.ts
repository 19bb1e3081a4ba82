/** References to other pages between paragraphs, as a scrape gives them. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";

interface Article {
  readonly lang: string;
  readonly title: string;
  readonly texts: readonly string[];
  readonly label: string;
  readonly other: string;
}

const articles: readonly Article[] = [
  {
    lang: "de",
    title: "Neue Fähre nach Amrum getauft",
    texts: [
      "Das Schiff fährt elektrisch und fasst vierhundert Fahrgäste.",
      "Die Reederei rechnet damit, dass die Überfahrt zehn Minuten länger dauert.",
      "Im April beginnt der Linienbetrieb.",
    ],
    label: "Lesen Sie auch",
    other: "Warum die alte Fähre bleiben darf",
  },
  {
    lang: "ru",
    title: "В порту Выборга открыли новый причал",
    texts: [
      "Длина причала составляет восемьсот метров, и к нему могут подойти три судна.",
      "Время ожидания, по словам начальника порта, сократится вдвое.",
      "Жители опасаются ночного шума, поэтому установлены датчики.",
    ],
    label: "Читайте также",
    other: "Последний рейс старого парома",
  },
  {
    lang: "zh",
    title: "港口新码头下月启用",
    texts: [
      "新码头全长八百米，可同时停靠三艘集装箱船。",
      "港务局表示，启用后等待时间将缩短一半。",
      "附近居民担心夜间噪声，环保部门已安装监测设备。",
    ],
    label: "相关阅读",
    other: "老码头的最后一班渡轮",
  },
  {
    lang: "ar",
    title: "افتتاح رصيف جديد في ميناء طنجة",
    texts: [
      "يبلغ طول الرصيف الجديد ثمانمئة متر ويتسع لثلاث سفن كبيرة.",
      "وقال مدير الميناء إن زمن الانتظار سينخفض إلى النصف.",
      "ويخشى السكان من الضوضاء في الليل.",
    ],
    label: "مقالات ذات صلة",
    other: "آخر رحلة للعبارة القديمة",
  },
];

const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join("");

test.each(articles)(
  "a list of links goes with the label above it, whatever the label reads like: $lang",
  async (one) => {
    const { lang, title, texts, label, other } = one;
    const box = `<div class="inline-related"><strong>${label}</strong><ul><li><a href="/x">${other}</a></li></ul></div>`;
    const more = texts.map((text) => `${text} ${text}`);
    const markdown = await scraped(
      `<!doctype html><html lang="${lang}"><head><title>${title} | News</title><meta property="og:type" content="article"></head><body>
<header class="site-header"><a href="/" class="logo">News</a></header><main><article class="article"><h1>${title}</h1>
<div class="article-meta"><time datetime="2026-03-01">2026-03-01 08:12</time></div><div class="article-body">${paragraphs([...texts, ...more])}${box}<p>${texts[0]} ${texts[2]}</p></div></article></main></body></html>`,
    );
    expect(markdown).toContain(texts[1]);
    expect(markdown.trimEnd().endsWith(`${texts[0]} ${texts[2]}`)).toBe(true);
    expect(markdown).not.toContain(other);
    expect(markdown).not.toContain(label);
  },
);

test.each(["Read more on this story", "More on this story"])("so does a list below the heading: %s", async (label) => {
  const said = (what: string): string =>
    `<p>The harbour master said that the pilots had not been told about ${what}, and that ships waited for hours off the point.</p>`;
  const box = `<div class="related-inline"><h4>${label}</h4><ul><li><a href="/1">Pilots threaten to strike in May</a></li><li><a href="/2">What dredging costs the port</a></li></ul></div>`;
  const before = ["the closure of the channel", "the new buoys", "the survey", "the order of the ships"];
  const markdown = await scraped(
    `<!doctype html><html lang="en"><head><title>Northern channel closed - Coast News</title><meta property="og:type" content="article"></head><body>
<main><article><h1>Northern channel closed</h1><time>1 March 2026</time>${before.map(said).join("")}${box}${said("the tide")}</article></main></body></html>`,
  );
  expect(markdown).toContain("the tide");
  expect(markdown).not.toContain(label);
  expect(markdown).not.toContain("dredging");
});
