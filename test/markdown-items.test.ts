// Items of lists next to each other and of any number, and those that pages write with other elements.
import { expect, it } from "vitest";
import { scrapedWhole } from "./scraped.ts";

const row = (...cells: string[]): string => `<tr>${cells.map((cell) => `<td valign="top">${cell}</td>`).join("")}</tr>`;
const table = (...rows: string[]): string => `<table width="100%" border="0"><tbody>${rows.join("")}</tbody></table>`;

it("the marker of an item in a cell of its own stands before its text", async () => {
  const inner = table(row("<p>(i)</p>", "<p>in a harbour;</p>"));
  const law = `<p>It does not apply:</p>${table(row("<p>(a)</p>", `<p>to moles of <b>military</b> harbours:</p>${inner}`))}
    ${table(row("", "b)", "to moles below the water."))}`;
  expect(await scrapedWhole(law)).toBe(
    "It does not apply:\n\n(a) to moles of **military** harbours:\n\n(i) in a harbour;\n\nb) to moles below the water.",
  );
});

it("items with dashes or full stops, a table for each of them or a row, are a list", async () => {
  const dashes = table(row("—", "The lamps are lit.")) + table(row("—", "The lamps are put out."));
  const numbers = table(row("3.", "Raise the wick."), row("4.", "Lower it again."));
  expect(await scrapedWhole(`${dashes}<p>Then:</p>${numbers}`)).toBe(
    "- The lamps are lit.\n- The lamps are put out.\n\nThen:\n\n3. Raise the wick.\n4. Lower it again.",
  );
});

it("a table of facts that begins with such a sign remains one", async () => {
  for (const rows of [
    [row("a)", "Hanko"), row("Turku", "A town in the west of the country")],
    [row("1", "The first of all lamps on the mole")],
    ["<tr><th>1.</th><td>The first of all lamps on the mole</td></tr>"],
  ]) {
    expect(await scrapedWhole(table(...rows))).toContain("| --- | --- |");
  }
});

it("definitions of nothing, by which wikis indent, are plain text", async () => {
  const wiki = "<p>The sum is</p><dl><dd>a + b = c</dd></dl><dl><dd>First.<dl><dd>Second.</dd></dl></dd></dl>";
  expect(await scrapedWhole(wiki)).toBe("The sum is\n\na + b = c\n\nFirst.\n\nSecond.");
  const terms = "<dl><div><dt>Port</dt><dd>7411</dd></div><div><dd>7412</dd></div></dl>";
  expect(await scrapedWhole(terms)).toBe("**Port**\n- 7411\n- 7412");
});

it("items that are sections with headings of their own are parts of the document", async () => {
  const part = (name: string): string => `<li><section><h2>${name}</h2><p>All about it.</p></section></li>`;
  expect(await scrapedWhole(`<ul class="details-list">${part("Fields")}${part("Methods")}</ul>`)).toBe(
    "## Fields\n\nAll about it.\n\n## Methods\n\nAll about it.",
  );
  const card = "<ul><li><section><h2>Fields</h2></section></li><li>and more</li></ul>";
  expect(await scrapedWhole(card)).toBe("- ## Fields\n- and more");
});

it("a block between the items of a list belongs to the item before it", async () => {
  const list = `<ol><li>The clause reads:</li><blockquote>Chains are inspected each year.</blockquote><li>It was not.</li>
    <br><p>Nor was the next.</p><div></div><li>So it parted.</li></ol>`;
  expect(await scrapedWhole(list)).toBe(
    "1. The clause reads:\n\n   > Chains are inspected each year.\n\n2. It was not.\n\n   Nor was the next.\n\n3. So it parted.",
  );
  expect(await scrapedWhole("<ul><li>Rope</li><div></div><li>Chain</li></ul>")).toBe("- Rope\n- Chain");
  expect(await scrapedWhole("<ul><p>Rope</p><div>Chain</div></ul>")).toBe("- Rope\n- Chain");
});

it("an item in the target of a link remains one, whatever links are in it", async () => {
  const target = (number: number, text: string): string =>
    `<a name="p${number}"><li value="${number}">${text}</li></a>`;
  const list = `<ol>${target(4, 'I agree with <a href="/1">Hart</a> at [14].')}<br>${target(5, "Nor does clause 11 help.")}</ol><p>End</p>`;
  expect(await scrapedWhole(list)).toBe("4. I agree with [Hart](/1) at [14].\n5. Nor does clause 11 help.\n\nEnd");
});

it("items and code of an editor that writes a block for each of them are lists and code", async () => {
  const item = (kind: string, text: string, inner = ""): string =>
    `<div class="notion-selectable notion-${kind}_list-block"><div><div class="box"></div><div><div>${text}</div>${inner}</div></div></div>`;
  const note = item("bulleted", "Notes go into the week page");
  const bullets = item("bulleted", "Monday", note) + item("bulleted", "Thursday");
  const numbers = item("numbered", "Tag the commit") + item("numbered", "Watch the graphs");
  const code = `<div class="notion-selectable notion-code-block"><div>Shell</div><div class="line-numbers notion-code-block"><div><span>git</span> tag v3\n<span>git</span> push</div></div></div>`;
  expect(
    await scrapedWhole(`${bullets}<h2>Releases</h2>${numbers}<p>Then:</p>${item("numbered", "Rest")}${code}`),
  ).toBe(
    [
      ...["- Monday\n\n  - Notes go into the week page\n- Thursday", "## Releases"],
      ...["1. Tag the commit\n2. Watch the graphs", "Then:", "1. Rest", "Shell", "```\ngit tag v3\ngit push\n```"],
    ].join("\n\n"),
  );
});

it("a list that contains only lists is one with their items; with a text of its own, they are below that", async () => {
  const inner = "<ul><li>Oil the hinge</li><li>Wipe the glass</li></ul>";
  expect(await scrapedWhole(`<ul>\n${inner}\n<ul><li>Light it</li></ul></ul>`)).toBe(
    "- Oil the hinge\n- Wipe the glass\n- Light it",
  );
  expect(await scrapedWhole(`<ul>Every evening:${inner}</ul>`)).toBe(
    "- Every evening:\n  - Oil the hinge\n  - Wipe the glass",
  );
  expect(await scrapedWhole(`<ul><li>Every evening</li>${inner}</ul>`)).toBe(
    "- Every evening\n  - Oil the hinge\n  - Wipe the glass",
  );
});

it("lists are one only within the same quotation, and where a number says so", async () => {
  const [first, second] = ["<li>Raise the wick.</li>", "<li>Lower it.</li>"];
  const written = (html: string) => scrapedWhole(`<p>Then:</p>${html}`);
  expect(await written(`<blockquote><ul>${first}</ul></blockquote><ul>${second}</ul>`)).toBe(
    "Then:\n\n> - Raise the wick.\n\n- Lower it.",
  );
  expect(await written(`<ol>${first}</ol><ol>${second.replace("<li>", '<li value="2">')}</ol>`)).toBe(
    "Then:\n\n1. Raise the wick.\n2. Lower it.",
  );
});

it("a list of definitions in an item keeps the item apart from the text before it", async () => {
  const list = (start: number) =>
    `<p>Then:</p><ol start="${start}"><li><dl><dd>raise it</dd><dt>Wick</dt></dl></li></ol>`;
  expect(await scrapedWhole(list(7))).toBe("Then:\n\n7. - raise it\n\n   **Wick**");
  expect(await scrapedWhole(list(1))).toBe("Then:\n\n1. - raise it\n\n   **Wick**");
});

it("a list below the text of an item is right below it only if it begins with 1, whatever gives its number", async () => {
  const list = (item: string, style = "") => `<ul><li>Then:<ol ${style}>${item}</ol></li></ul>`;
  expect(await scrapedWhole(list("<li>raise it</li>"))).toBe("- Then:\n  1. raise it");
  expect(await scrapedWhole(list('<li value="3">raise it</li>'))).toBe("- Then:\n\n  3. raise it");
  expect(await scrapedWhole(list('<li value="1">raise it</li>', 'start="3"'))).toBe("- Then:\n  1. raise it");
  const besides = (style: string) => `<ul><li>Then:</li><ol ${style}><li>raise it</li></ol><li>Rest</li></ul>`;
  expect(await scrapedWhole(besides(""))).toBe("- Then:\n  1. raise it\n- Rest");
  expect(await scrapedWhole(besides('start="3"'))).toBe("- Then:\n\n  3. raise it\n- Rest");
  const marked = list("<li><span>3.</span> raise it</li>", 'style="list-style: none"');
  expect(await scrapedWhole(marked)).toBe("- Then:\n\n  3. raise it");
});

it("an item behind a note that is in its list is no part of the note", async () => {
  const list = '<ol><li>Steep.</li><li id="n1">Since long ago.</li><li>Pour it.</li></ol>';
  expect(await scrapedWhole(`<p>Tea<sup><a href="#n1">1</a></sup> is hot.</p>${list}`)).toBe(
    "Tea[^1] is hot.\n\n1. Steep.\n\n[^1]: Since long ago.\n\n2. Pour it.",
  );
});

it("numbers that markdown does not have are those next to them that it has", async () => {
  const list = (start: number) => `<p>Then:</p><ol start="${start}"><li>one</li><li>two</li></ol>`;
  expect(await scrapedWhole(list(-1))).toBe("Then:\n\n0. one\n0. two");
  expect(await scrapedWhole(list(999_999_999))).toBe("Then:\n\n999999999. one\n0. two");
});
