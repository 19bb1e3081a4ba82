import { describe, expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { asianPdf, type DrawnLine } from "./fixtures/pdf/asian-pdf.ts";

const blocksOf = (markdown: string) => markdown.split("\n\n");

/** Lines of thirty letters, the last of them shorter. */
function paragraph(seed: number, top: number, size = 10): { text: string; lines: DrawnLine[] } {
  const letters = "山水花鸟春夏秋冬风雨雪月日星天地人心书画琴棋茶酒米面豆麦";
  const start = seed % letters.length;
  const turned = letters.slice(start) + letters.slice(0, start);
  const rows = [turned, `${turned.slice(4, 9)} Harbour${seed} ${turned.slice(12)}`, `${turned.slice(9, 17)}。`];
  return {
    text: rows.join(""),
    lines: rows.map((row, index) => ({ runs: song(row), x: 60, y: top + index * size * 1.4, size })),
  };
}

/** Latin letters in Times, the others in the font of the text. */
function song(text: string, asian: "song" | "fang" = "song", latin: "times" | "code" = "times"): DrawnLine["runs"] {
  return (text.match(/[\u0020-\u007e]+|[^\u0020-\u007e]+/g) ?? []).map((run) => ({
    text: run,
    font: /[\u0020-\u007e]/.test(run) ? latin : asian,
  }));
}

describe("Chinese text in fonts that call themselves of one width", () => {
  it("is text, its headings are headings, and code stays code", async () => {
    const [one, two, three] = [paragraph(1, 120), paragraph(2, 180), paragraph(3, 360)];
    const { markdown } = await readPdf(
      asianPdf([
        { runs: song("第一章 山水"), x: 60, y: 80, size: 16 },
        ...one.lines,
        ...two.lines,
        { runs: song("amber harbour(basin)", "fang", "code"), x: 80, y: 250, size: 9 },
        { runs: song("print 春夏秋冬", "fang", "code"), x: 80, y: 261, size: 9 },
        { runs: song("cedar delta", "fang", "code"), x: 80, y: 272, size: 9 },
        { runs: [...song("命令 "), ...song("make", "fang", "code"), ...song(" 用于春夏。")], x: 60, y: 320, size: 10 },
        ...three.lines,
      ]),
    );
    expect(blocksOf(markdown)).toEqual([
      "# 第一章 山水",
      one.text,
      two.text,
      "```\namber harbour(basin)\nprint 春夏秋冬\ncedar delta\n```",
      "命令 `make` 用于春夏。",
      three.text,
    ]);
  });

  it("keeps comments in the font of the text within code", async () => {
    const one = paragraph(1, 80);
    const { markdown } = await readPdf(
      asianPdf([
        ...one.lines,
        { runs: song("amber harbour", "song", "code"), x: 80, y: 150, size: 9 },
        { runs: song("# 春夏秋冬", "song", "code"), x: 80, y: 161, size: 9 },
        { runs: song("cedar delta # 山水", "song", "code"), x: 80, y: 172, size: 9 },
        { runs: [...song("make", "song", "code"), ...song(" 是春夏秋冬的山水命令")], x: 60, y: 220, size: 10 },
      ]),
    );
    expect(blocksOf(markdown)).toEqual([
      one.text,
      "```\namber harbour\n# 春夏秋冬\ncedar delta # 山水\n```",
      "`make` 是春夏秋冬的山水命令",
    ]);
  });

  it("of several long lines is no heading, however large", async () => {
    const { markdown } = await readPdf(
      asianPdf([
        ...[0, 1, 2, 3].flatMap((index) => paragraph(index, 300 + index * 60).lines),
        ...[0, 1, 2].map((line) => ({
          runs: song("山水花鸟春夏秋冬风雨雪月日星天地人心书画琴棋茶酒米面豆麦"),
          x: 60,
          y: 160 + line * 18,
          size: 13,
        })),
        { runs: song("附录"), x: 60, y: 260, size: 13 },
      ]),
    );
    expect(markdown.match(/^#.*$/gm)).toEqual(["# 附录"]);
  });

  it("that is larger in one part than in the others is no heading there", async () => {
    const small = Array.from({ length: 6 }, (_, index) => paragraph(index, 80 + index * 45, 8));
    const large = Array.from({ length: 3 }, (_, index) => paragraph(index + 7, 400 + index * 60, 10));
    const { markdown } = await readPdf(
      asianPdf([
        ...small.flatMap(({ lines }) => lines),
        { runs: song("山水花鸟的春夏"), x: 60, y: 370, size: 10 },
        ...large.flatMap(({ lines }) => lines),
        { runs: song("秋冬风雨的山水，春夏。"), x: 60, y: 600, size: 10 },
        { runs: song("附录"), x: 60, y: 640, size: 13 },
      ]),
    );
    expect(markdown.match(/^#.*$/gm)).toEqual(["# 附录"]);
  });
});

describe("spaces of Chinese text", () => {
  it("are not what spreads the letters of a line to its edge, nor the room after a sign", async () => {
    const { markdown } = await readPdf(
      asianPdf([
        { runs: song("山水花鸟，春夏秋冬 harbour 风雨"), x: 60, y: 80, size: 10, spread: 220 },
        { runs: song("雪月日星天地。人心书画琴棋，茶酒"), x: 60, y: 94, size: 10 },
        { runs: song("秋冬风雨）"), x: 60, y: 140, size: 10 },
        { runs: song("雪月日星"), x: 116, y: 140, size: 10 },
        { runs: song("目录"), x: 60, y: 200, size: 10, spread: 900 },
      ]),
    );
    expect(blocksOf(markdown)).toEqual([
      "山水花鸟，春夏秋冬 harbour 风雨雪月日星天地。人心书画琴棋，茶酒",
      "秋冬风雨）雪月日星",
      "目 录",
    ]);
  });

  it("are none where a line ends, beside quotes either", async () => {
    const { markdown } = await readPdf(
      asianPdf([
        { runs: song("山水花鸟春夏秋冬风雨雪月日星天地人心"), x: 60, y: 80, size: 10 },
        { runs: song("“书画琴棋”茶酒米面豆麦山水花鸟春夏秋”"), x: 60, y: 94, size: 10 },
        { runs: song("冬风雨雪月日星天地人心书画琴棋茶 harbour"), x: 60, y: 108, size: 10 },
        { runs: song("米面。"), x: 60, y: 122, size: 10 },
      ]),
    );
    expect(markdown).toBe(
      "山水花鸟春夏秋冬风雨雪月日星天地人心“书画琴棋”茶酒米面豆麦山水花鸟春夏秋”冬风雨雪月日星天地人心书画琴棋茶 harbour 米面。",
    );
  });
});
