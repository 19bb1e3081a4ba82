import { describe, expect, it } from "vitest";
import { readPdf } from "../src/transform/read-pdf.ts";
import { helvetica, letterFont, onePage, rawPdf, stream } from "./fixtures/pdf/raw-pdf.ts";

/** A filled or empty circle, or a square, around a place. */
function shape(kind: "disc" | "circle" | "square", x: number, y: number, radius: number): string {
  if (kind === "square") return `${x - radius} ${y - radius} ${radius * 2} ${radius * 2} re f`;
  const [l, r, b, t] = [x - radius, x + radius, y - radius, y + radius];
  const arcs = `${l} ${y} m ${l} ${t} ${l} ${t} ${x} ${t} c ${r} ${t} ${r} ${t} ${r} ${y} c`;
  return `${arcs} ${r} ${b} ${r} ${b} ${x} ${b} c ${l} ${b} ${l} ${b} ${l} ${y} c ${kind === "disc" ? "f" : "S"}`;
}

/** As Qt writes it: everything scaled, the marks among the text. */
function listPdf(producer: string): Uint8Array {
  const text = (words: string, x: number, y: number) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${words}) Tj ET`;
  const drawn = [
    text("What there is on the island:", 72, 720),
    ...["The harbour", "A meadow of two parts", "upper", "lower", "steep", "The grove"].map((words, index) => {
      const depth = [0, 0, 1, 1, 2, 0][index]!;
      const [x, y] = [92 + depth * 20, 704 - index * 12];
      return `q 0.5 0 0 0.5 0 0 cm ${shape((["disc", "circle", "square"] as const)[depth]!, (x - 8) * 2, (y + 3.5) * 2, 3)} Q ${text(words, x, y)}`;
    }),
    // A rule, a box with text in it, and a shape that stands beside nothing.
    "72 600 400 1 re f",
    `70 570 12 12 re S ${text("1", 73, 573)}`,
    shape("disc", 300, 650, 2),
  ];
  return rawPdf(
    [...onePage("/Font<</F1 5 0 R>>"), stream(drawn.join("\n")), helvetica, `<</Producer(${producer})>>`],
    "/Info 6 0 R",
  );
}

describe("lists whose marks are drawn as shapes", () => {
  it.each(["Qt 5.15.8", "PDFKit", "pdfmake"])("are lists, and other shapes are no marks: %s", async (producer) => {
    const { markdown } = await readPdf(listPdf(producer));
    expect(markdown).toBe(
      "What there is on the island:\n\n- The harbour\n- A meadow of two parts\n  - upper\n  - lower\n    - steep\n- The grove\n\n1",
    );
  });

  it("may be to the right of what is read from there", async () => {
    const lines = ["CBA FED", "FED CBA", "FDB ECA"].map((letters, index) => {
      const y = 720 - index * 12;
      return `BT /F1 10 Tf 1 0 0 1 300 ${y} Tm (${letters}) Tj ET ${shape("disc", 300 + 42 + 8, y + 3.5, 1.5)}`;
    });
    const font = letterFont("\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5", 6);
    const file = [...onePage("/Font<</F1 5 0 R>>"), stream(lines.join("\n")), ...font, "<</Producer(Skia/PDF m153)>>"];
    const { markdown } = await readPdf(rawPdf(file, "/Info 7 0 R"));
    expect(markdown).toBe(
      "- \u05d3\u05d4\u05d5 \u05d0\u05d1\u05d2\n- \u05d0\u05d1\u05d2 \u05d3\u05d4\u05d5\n- \u05d0\u05d2\u05d4 \u05d1\u05d3\u05d5",
    );
  });

  it("are not looked for in files of programs that set marks as letters", async () => {
    expect((await readPdf(listPdf("Quill"))).markdown).not.toContain("- The harbour");
  });
});
