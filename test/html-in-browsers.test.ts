// The `html` of a page, read as browsers read it: nothing in it runs, also where this parser reads a page differently.

import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { transformHtml } from "./transform-input.ts";

const picture = "<img src=x onerror=run()>";

/** Everything that would run, of a page as a browser with scripts reads it. */
function runningIn(html: string): string[] {
  const found: string[] = [];
  const look = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("attrs" in node) {
      for (const { name, prefix = "", value } of node.attrs) {
        if (name.startsWith("on") || /(?:^|;)javascript:/.test(value.replace(/\s/g, ""))) {
          found.push(`${node.nodeName} ${prefix}${name}=${value}`);
        }
      }
      if (node.nodeName === "script") found.push("script");
    }
    if ("childNodes" in node) node.childNodes.forEach(look);
  };
  look(parse(html, { scriptingEnabled: true }));
  return found;
}

describe("nothing runs", () => {
  it.each([
    ["a text field that is closed at once", `<textarea/><p title="</textarea>${picture}">Text</p>`],
    ["a title that is closed at once", `<body><title/><p title="</title>${picture}">Text</p>`],
    ["an animation of several addresses", '<svg><animate attributeName=href values="/a; java\nscript:run()"/></svg>'],
    ["sample text in a formula", `<math><annotation-xml><xmp>${picture}</xmp></annotation-xml></math>`],
    ["sample text in a drawing", `<svg><mi><xmp>${picture}</xmp></mi></svg>`],
    ["a name that could be the value before it", '<form action="" =javascript:run()><button>Go</button></form>'],
  ])("%s", async (_, page) => {
    const { html } = await transformHtml(`<p>Before</p>${page}<p>After</p>`, { formats: ["html"] });
    expect(runningIn(html!)).toEqual([]);
    expect(html).toContain("<p>After</p>");
  });
});

it("goes on after a text field or a title that is closed at once", async () => {
  const page = "<body><title/><p>One</p><textarea/><p>Two</p></body>";
  const { html, markdown } = await transformHtml(page, { formats: ["html", "markdown"] });
  expect(html).toContain("<title></title><p>One</p><textarea></textarea><p>Two</p>");
  expect(markdown).toBe("One\n\nTwo");
});
