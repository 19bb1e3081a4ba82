// What no reader of a page sees is no part of it; what only seems hidden is.

import { describe, expect, it } from "vitest";
import { markdownOf, transformHtml } from "./transform-input.ts";

describe("hidden parts", () => {
  it.each([
    ["a dialog that is closed", "<dialog>Subscribe!</dialog>"],
    ["an element that another property does not show", '<p style="color:red; display : none">Unseen</p>'],
    ["a piece of text with Bootstrap's class", '<span class="d-none">Unseen</span>'],
    ["an element of a page whose body is hidden as well", "<p hidden>Unseen</p>", '<body style="visibility: hidden">'],
  ])("%s is left out", async (_, part, body = "<body>") => {
    expect(await markdownOf(`${body}<p>Grain is ground in the mill.</p>${part}`)).toBe("Grain is ground in the mill.");
  });

  it.each([
    ["a dialog that is open", "<dialog open>Flour</dialog>"],
    ["what a search in the page would show", '<p hidden="until-found">Flour</p>'],
    ["the choices of a list", '<div role="listbox" hidden>Flour</div>'],
    ["what only a property of its own name says", '<p style="--panel-display: none">Flour</p>'],
    ["a piece of text that is hidden on some screens", '<p><span class="d-none d-md-inline">Flour</span></p>'],
    ["a part of the page that a script may show", '<div class="d-none">Flour</div>'],
    ["notes, which a click shows", '<div class="footnotes" hidden>Flour</div>'],
    ["a link to the top that is no way past the navigation", '<p><a href="#">Skip to the next track</a></p>'],
  ])("%s is kept", async (_, part) => {
    const markdown = await markdownOf(`<body><p>Grain is ground in the mill.</p>${part}`);
    expect(markdown).toMatch(/^Grain is ground in the mill\.\n\n\[?(?:Flour|Skip)/);
  });

  it.each([
    ["below a control", '<h3><button aria-expanded="false">Time</button></h3><div hidden><p>Flour</p></div>'],
    ["below a question", '<p>How long does it take?</p><div><div style="display: none;"><p>Flour</p></div></div>'],
  ])("an answer that a click shows is kept: %s", async (_, part) => {
    expect(await markdownOf(`<body><p>Grain is ground in the mill.</p>${part}`)).toContain("Flour");
  });

  it("an answer that a click shows is not shown to a model", async () => {
    const html =
      '<body><p>Grain is ground.</p><button aria-expanded="false">Time</button><div hidden><p>Flour</p></div>';
    expect((await transformHtml(html, { visibleOnly: true })).markdown).not.toContain("Flour");
    expect((await transformHtml(html, { visibleOnly: false })).markdown).toContain("Flour");
  });

  it.each([
    ["a menu", '<button aria-expanded="false">Menu</button><ul hidden><li>Flour</li></ul>'],
    ["links", '<button aria-expanded="false">Menu</button><div hidden><a href="/f">Flour</a></div>'],
    ["a part of the navigation", '<nav><button aria-expanded="false">Menu</button><div hidden>Flour</div></nav>'],
    ["a dialog", '<button aria-expanded="false">Why?</button><div role="dialog" hidden>Flour</div>'],
    ["what nothing opens", "<h2>Menu</h2><div hidden>Flour</div>"],
    ["what text stands before", '<button aria-expanded="false">Time</button> and <span hidden>Flour</span>'],
  ])("%s is left out", async (_, part) => {
    expect(await markdownOf(`<body><p>Grain is ground in the mill.</p>${part}`)).not.toContain("Flour");
  });

  it("a way past the navigation is left out", async () => {
    expect(await markdownOf('<body><a href="#main">Skip to content</a><main id="main"><p>Grain.</p></main>')).toBe(
      "Grain.",
    );
  });

  it("the source of a formula is kept, next to a picture without words", async () => {
    const formula = `<p>So <span style="display: none"><math><mi>x</mi></math></span><img src="/x.svg" width="1" height="1"> grows.</p>`;
    expect(await markdownOf(`<body>${formula}`)).toBe("So $x$ grows.");
  });

  it("all is kept where nearly everything is hidden until a script has run, whatever its links say", async () => {
    const hidden = `<div style="visibility: hidden"><p>${"The mill grinds grain. ".repeat(30)}</p></div>`;
    const shown = `<p>Loading the page</p>${'<a href="/x">Another page</a> '.repeat(20)}`;
    expect(await markdownOf(`<body>${shown}${hidden}`)).toContain("The mill grinds");
    const linked = `<p>Loading the page</p>${'<a href="/x">Another page</a> '.repeat(60)}`;
    expect(await markdownOf(`<body>${linked}${hidden}`)).not.toContain("The mill grinds");
  });
});

describe("parts for readers without scripts", () => {
  const beside = async (part: string) => markdownOf(`<body><p>Grain.</p><noscript>${part}</noscript><p>Flour.</p>`);

  it.each([
    ["a few words", "Your reader is too old."],
    ["words with a picture", '<p>Turn them on!</p><img src="/how.png" alt="How">'],
    ["a picture that nobody can see", '<img src="/count.png" alt="count" style="width:1px; height:1px">'],
  ])("%s are left out", async (_, part) => {
    expect(await beside(part)).toBe("Grain.\n\nFlour.");
  });

  it("a text is kept, also one that is about scripts", async () => {
    const text = "JavaScript has been in every reader since the last century, and this page is about it. ".repeat(8);
    expect(await beside(`<p>${text}</p>`)).toContain("since the last century");
    const request = "Please turn on JavaScript, without which this site does not work at all. ".repeat(3);
    expect(await beside(`<p>${request}</p>`)).toBe("Grain.\n\nFlour.");
  });

  it("a picture is that of the placeholder before it, but of none of several pictures", async () => {
    const gallery = '<div><img src="/a.jpg" alt="a"><img src="/b.jpg" alt="b"></div>';
    const markdown = await markdownOf(`<body>${gallery}<noscript><img src="/c.jpg" alt="c"></noscript>`);
    expect(markdown?.match(/\w(?=\.jpg)/g)).toEqual(["a", "b", "c"]);
  });
});

describe("formulas in scripts", () => {
  it("take the place of their preview and drawing", async () => {
    const drawn = '<span class="MathJax_Preview">a b</span> <span class="MathJax">ab</span> ';
    expect(await markdownOf(`<p>So ${drawn}<script type="math/tex">a_b</script> grows.</p>`)).toBe("So $a_b$ grows.");
    expect(await markdownOf('<p>So <b class="MathJax">ab</b> or <script type="math/tex">a_b</script>.</p>')).toBe(
      "So **ab** or $a_b$.",
    );
  });

  it("in other languages are left out", async () => {
    expect(await markdownOf('<p>So <script type="math/mml"><mi>x</mi></script>it grows.</p>')).toBe("So it grows.");
  });
});

it("nothing in the body of the html leads a reader elsewhere, or changes how it looks", async () => {
  const parts = ['<meta http-equiv="refresh" content="0;url=/away">', '<base href="/b/">', "<style>p{}</style>"];
  const page = `<body><p>Grain.</p>${parts.join("")}<link rel="stylesheet" href="/s.css"><template>t</template>`;
  const { html } = await transformHtml(page, { formats: ["html"] });
  expect(html).toBe("<html><body><p>Grain.</p></body></html>");
});
