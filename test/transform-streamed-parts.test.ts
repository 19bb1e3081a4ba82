/** Parts of a page that its server sent after it are read where they belong. */
import { expect, test } from "vitest";
import { transformHtml } from "./transform-input.ts";

async function read(body: string, onlyMainContent = true): Promise<string> {
  const { markdown = "" } = await transformHtml(body, { onlyMainContent });
  return markdown;
}

const about = (subject: string): string =>
  `<p>${subject} was weighed in the hall on the first day of the fair, by two people who did not know of each other, and both wrote down the same number.</p>`;

const place = (id: string, standIn: string): string => `<!--$?--><template id="${id}"></template>${standIn}<!--/$-->`;

test("a part of an article replaces what stands in for it", async () => {
  const markdown = await read(
    `<header><a href="/">Fair</a></header><main><article><h1>The weighing</h1>${about("The red pumpkin")}
    ${place("B:0", "<p>Loading the second pumpkin…</p>")}<h2>After it</h2>${about("The last pumpkin")}</article></main>
    <footer>The fair, since 1950</footer>
    <div hidden id="S:0"><h2>The second one</h2>${about("The green pumpkin")}</div>
    <script>$RC=function(a,b){};$RC("B:0","S:0")</script>`,
  );
  expect(markdown.match(/^#.*|The \w+ pumpkin|Loading/gm)).toEqual([
    "# The weighing",
    "The red pumpkin",
    "## The second one",
    "The green pumpkin",
    "## After it",
    "The last pumpkin",
  ]);
});

test("parts of parts, in the order in which they come, and rows of a table", async () => {
  const markdown = await read(
    `<h1>Fair</h1>${place("a-B:0", "<i>wait</i>")}<p>end</p>
    <div hidden id="a-S:0"><p>one</p><template id="a-P:1"></template><table><tbody><tr><td>two</td></tr>${place("a-B:2", "<tr><td>wait</td></tr>")}</tbody></table></div>
    <div hidden id="a-S:1">${place("a-B:3", `<b>${place("a-B:9", "wait")}wait</b>`)}<p>middle</p></div><script>$RS("a-S:1","a-P:1")</script>
    <script>$RC("a-B:0","a-S:0")</script><table hidden><tbody id="a-S:2"><tr><td>three</td></tr></tbody></table>
    <script>$RR("a-B:2","a-S:2",[["a.css"]])</script><div hidden id="a-S:3"><p>first</p></div><script>$RC("a-B:3","a-S:3")</script>`,
    false,
  );
  expect(markdown.split(/[\s|-]+/).filter((word) => word !== "")).toEqual(
    "# Fair one first middle two three end".split(" "),
  );
});

test("a part whose place is nowhere stays where it is, and a place whose part did not come keeps its stand-in", async () => {
  const markdown = await read(
    `<p>text</p>${place("B:0", "<p>waiting</p>")}<div id="S:1"><p>homeless</p></div><script>$RC("B:7","S:1")</script>`,
    false,
  );
  expect(markdown).toBe("text\n\nwaiting\n\nhomeless");
});

test("parts within each other, and in themselves, make no deep tree and take no long time", async () => {
  const parts = Array.from({ length: 20_000 }, (_, at) => {
    const id = at.toString(16);
    const next = (at + 1).toString(16);
    return `<div hidden id="S:${id}"><p>part ${at}</p><div><template id="B:${next}"></template></div></div><script>$RC("B:${next}","S:${next}");$RC("B:${id}","S:${id}")</script>`;
  });
  const markdown = await read(`<p>start</p><template id="B:0"></template>${parts.join("")}`, false);
  expect(markdown.match(/part \d+/g)).toHaveLength(20_000);
  const circle = `<div id="S:1"><p>one</p><template id="B:2"></template></div><div id="S:2"><p>two</p><template id="B:1"></template></div><script>$RC("B:1","S:1");$RC("B:2","S:2")</script>`;
  expect(await read(circle, false)).toBe("one\n\ntwo");
});
