// Formulas as pages have them once a script has drawn them.

import { describe, expect, it } from "vitest";
import { markdownOf, transformHtml } from "./transform-input.ts";

describe("a formula that is drawn", () => {
  const math = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";
  const drawn = `<span class="MathJax_Preview" style="color: inherit;"></span>
    <span class="MathJax" data-mathml="${math.replaceAll("<", "&lt;")}"><nobr><span class="math">x2</span></nobr>
    <span class="MJX_Assistive_MathML">${math}</span></span>`;
  const words = "A sentence of the page that is long enough to be its main content, as all of them are.";

  it("is written once, from its script", async () => {
    const html = `<p>${words} The ${drawn}<script type="math/tex" id="M1">x^2</script> end.</p>`;
    expect(await markdownOf(html)).toBe(`${words} The $x^2$ end.`);
    const { markdown } = await transformHtml(`<main><h1>Squares</h1>${html}<p>${words}</p></main>`, {
      onlyMainContent: true,
    });
    expect(markdown).toBe(`# Squares\n\n${words} The $x^2$ end.\n\n${words}`);
  });

  it.each(["MathJax_Display", "MathJax_SVG_Display", "mjx-chtml MJXc-display"])("is a block below %s", async (name) => {
    const html = `<p>The</p><div class="${name}">${drawn}</div><script type="math/tex; mode=display">x^2</script>`;
    expect(await markdownOf(html)).toBe("The\n\n$$\nx^2\n$$");
  });

  it("stays where its script is gone", async () => {
    expect(await markdownOf(`<p>The ${drawn} end.</p>`)).toBe("The $x^{2}$ end.");
    expect(await markdownOf(`<p>The ${drawn} is <script type="math/tex">y</script>.</p>`)).toBe("The $x^{2}$ is $y$.");
  });

  it("stays where KaTeX gives no source", async () => {
    const base = '<span class="base"><span class="mord mathnormal">x</span><span class="mrel">=</span>1</span>';
    const html = `<span class="katex-html" aria-hidden="true">${base}</span>`;
    expect(await markdownOf(`<p>So <span class="katex">${html}</span>.</p>`)).toBe("So x=1.");
  });

  it("keeps the columns of a matrix with one row where TeX allows them", async () => {
    const cells = "<mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd>";
    const matrix = `<mo>(</mo><mtable><mtr>${cells}</mtr></mtable><mo>)</mo>`;
    expect(await markdownOf(`<p>M <math>${matrix}</math></p>`)).toBe("M $\\begin{pmatrix} 1 & 2 \\end{pmatrix}$");
  });
});

describe("two dollars in a text", () => {
  it.each([
    "In PHP, $$name and $$other are variables",
    "$$one = $$other_name, $$third",
    "The shell is $$, and $$ is its number",
    "Pizza $$, noodles $$",
    "Pizza $$ or $$$",
    "Pizza $$$ or $$$$",
  ])("mean no formula: %s", async (text) => {
    expect(await markdownOf(`<p>${text}</p>`)).toBe(text);
  });

  it.each(["PV=nRT", "x + y", "distance = t \\cdot v"])("are around a formula: %s", async (tex) => {
    expect(await markdownOf(`<p>So $$${tex}$$ holds</p>`)).toBe(`So\n\n$$\n${tex}\n$$\n\nholds`);
  });
});

describe("MathML without TeX of its own", () => {
  const [x, y, z] = ["x", "y", "z"].map((name) => `<mi>${name}</mi>`);
  const [n, zero] = ["<mi>n</mi>", "<mn>0</mn>"];
  const brackets = (inner: string, open = "(", close = ")") => `<mo>${open}</mo>${inner}<mo>${close}</mo>`;
  const cell = (content: string) => `<mtd>${content}</mtd>`;
  const table = `<mtable><mtr>${cell(x!)}${cell(y!)}</mtr><mtr>${cell(zero)}${cell(`<mtext>if </mtext>${z}`)}</mtr></mtable>`;

  it.each([
    ["a root", `<mroot>${x}<mn>3</mn></mroot>`, "\\sqrt[3]{x}"],
    ["scripts", `<msubsup>${x}${n}<mn>2</mn></msubsup>`, "x_{n}^{2}"],
    ["a derivative", `<msup>${x}<mo>″</mo></msup>`, "x''"],
    [
      "scripts on both sides",
      `<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>`,
      "{}_{6}^{14}C",
    ],
    ["limits of a sum", `<munderover><mo>∑</mo>${n}${z}</munderover>`, "\\sum_{n}^{z}"],
    ["a sign above another", `<mover><mo>=</mo><mo>!</mo></mover>`, "\\overset{!}{=}"],
    ["a condition below a letter", `<munder>${x}${n}</munder>`, "\\underset{n}{x}"],
    ["an accent", `<mover accent="true">${x}<mo>ˆ</mo></mover>`, "\\hat{x}"],
    ["a line over two letters", `<mover><mrow>${x}${y}</mrow><mo>―</mo></mover>`, "\\overline{xy}"],
    ["a line below", `<munder>${x}<mo>―</mo></munder>`, "\\underline{x}"],
    [
      "a labelled brace",
      `<munder><munder><mrow>${x}${y}</mrow><mo>⏟</mo></munder>${n}</munder>`,
      "\\underbrace{xy}_{n}",
    ],
    ["a binomial", brackets(`<mfrac linethickness="0">${n}${z}</mfrac>`), "\\binom{n}{z}"],
    ["a fraction without a line", `<mfrac linethickness="0">${n}${z}</mfrac>`, "{n \\atop z}"],
    [
      "a matrix in brackets",
      brackets(`<mrow>${table}</mrow>`, "[", "]"),
      "\\begin{bmatrix} x & y \\\\ 0 & \\text{if }z \\end{bmatrix}",
    ],
    ["cases", `<mrow><mo>{</mo>${table}</mrow>`, "\\begin{cases} x & y \\\\ 0 & \\text{if }z \\end{cases}"],
    ["cases with an empty end", brackets(table, "{", ""), "\\begin{cases} x & y \\\\ 0 & \\text{if }z \\end{cases}"],
    [
      "a fence as an element",
      `<mfenced open="{" close="" separators=";">${x}${y}</mfenced>`,
      "\\left\\{ x; y \\right.",
    ],
    ["a box", `<menclose notation="box">${x}</menclose>`, "\\boxed{x}"],
    ["a line drawn over a part", `<menclose notation="top">${x}${y}</menclose>`, "\\overline{xy}"],
    ["a line drawn below a part", `<menclose notation="bottom">${x}</menclose>`, "\\underline{x}"],
    ["letters in two forms", "<mi>φ</mi><mi>ϕ</mi><mi>ε</mi><mi>ϵ</mi>", "\\varphi\\phi\\varepsilon\\epsilon"],
    ["a struck part", `<menclose notation="updiagonalstrike">${x}</menclose>`, "\\cancel{x}"],
    ["spaces", `<msqrt>${x}<mspace width="1em"/>${y}<mspace width="0.1667em"/></msqrt>`, "\\sqrt{x\\quad y\\,}"],
    ["styles", `<mi mathvariant="double-struck">R</mi><mi mathvariant="bold">x</mi>`, "\\mathbb{R}\\mathbf{x}"],
    ["a name of two signs", "<mi>Δx</mi><mi>max</mi><mi>Var</mi>", "\\Delta x\\max\\mathrm{Var}"],
    ["signs that mean something in TeX", "<mn>5</mn><mo>%</mo><mi>a_b</mi><mo>~</mo>", "5\\%a\\_b\\sim"],
    [
      "text with such signs",
      "<mtext>50% of {a} cost $5, a_b ^ c\\d</mtext>",
      "\\text{50\\% of \\{a\\} cost \\$5, a\\_b \\textasciicircum{} c\\textbackslash{}d}",
    ],
    ["one of several views", `<maction actiontype="toggle">${x}${y}</maction><mphantom>${z}</mphantom>`, "x"],
  ])("%s", async (_, mathml, tex) => {
    expect(await markdownOf(`<p>So <math>${mathml}</math></p>`)).toBe(`So $${tex}$`);
  });

  it("has its TeX in an attribute, unless that is in words", async () => {
    const square = `<msup>${x}<mn>2</mn></msup>`;
    expect(await markdownOf(`<p>So <math alttext="x^2">${square}</math></p>`)).toBe("So $x^2$");
    expect(await markdownOf(`<p>So <math alttext="x squared">${square}</math></p>`)).toBe("So $x^{2}$");
  });
});

it("a picture of a formula is its TeX; one that is described in words stays a picture", async () => {
  const picture = (alt: string) => `<p>So <img class="math" src="https://a.test/1.png" alt="${alt}"></p>`;
  expect(await markdownOf(picture("y = a + b"))).toBe("So $y = a + b$");
  expect(await markdownOf(picture("\\sin x"))).toBe("So $\\sin x$");
  expect(await markdownOf(picture("y is a plus b"))).toBe("So ![y is a plus b](https://a.test/1.png)");
});
