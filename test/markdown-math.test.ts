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
    expect(await markdownOf(`<p>M <math>${matrix}</math></p>`)).toBe("M $(\\begin{matrix} 1 & 2 \\end{matrix})$");
  });
});
