// Given what the model says of each block, which are kept: the like parts of cards agree.
import { expect, test } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { decideBlocks } from "../src/transform/main-content/choose-blocks.ts";
import { totalElements } from "../src/transform/main-content/element-totals.ts";
import { buildPageTable } from "../src/transform/main-content/page-table.ts";
import type { PageType } from "../src/transform/main-content/page-type.ts";
import { keptOf, said } from "./main-content-given.ts";

const LIKELY = 3;
const UNLIKELY = -3;

/** What is kept of six cards of three blocks each, of which `odd` is judged unlike the others. */
function keptLabels(
  pageType: PageType,
  odd: number,
  oddSum: number,
  label = (card: number) => `Label ${card}`,
): string[] {
  const cards = Array.from(
    { length: 6 },
    (_, card) =>
      `<div class="card"><div class="label">${label(card)}</div><p>What there is to say of card ${card}.</p><p>And more.</p></div>`,
  );
  const { document } = readHtml(
    `<title>Cards</title><main><h1>Cards</h1><div class="row">${cards.join("")}</div></main>`,
  );
  const table = buildPageTable(document, () => 0);
  const isLabel = (block: number): boolean => table.elements[table.blockElement[block]!]!.attribs["class"] === "label";
  const labels = Array.from(table.blockElement.keys()).filter(isLabel);
  const sums = new Float32Array(table.blockElement.length).fill(LIKELY);
  for (const block of labels) sums[block] = -oddSum;
  sums[labels[odd]!] = oddSum;
  const sizes = new Float32Array(sums.length).fill(4);
  const long = label(odd).split(" ").length;
  sizes[labels[odd]!] = long;
  const keep = finish(decideBlocks(table, pageType, sums, sizes, undefined, "Cards", totalElements(table)));
  return labels.filter((block) => keep[block] === 1).map((block) => table.texts[table.firstText[block]!]!.data);
}

test("where nearly all cards keep their label, the last one keeps its own", () => {
  expect(keptLabels("listing", 5, UNLIKELY)).toHaveLength(6);
});

test("what stands at each post of a thread is judged by itself", () => {
  expect(keptLabels("forum", 5, UNLIKELY)).not.toContain("Label 5");
});

test("a long text is judged by what it says", () => {
  const text = "We use cookies to make your visit to this site better and to see how many come, as told in our policy.";
  expect(keptLabels("listing", 2, UNLIKELY, (card) => (card === 2 ? text : `Label ${card}`))).not.toContain(text);
});

test("a doubtful item between kept ones is kept, whatever its class", () => {
  const fact = (value: string, label: string): string =>
    `<ul><li class="value">${value}</li><li class="label">${label}</li></ul>`;
  const kept = (pageType: PageType, doubt: number): string => {
    const { document } = readHtml(
      `<title>House</title><main><h1>House</h1>${fact("Cottage", "Kind")}${fact("3", "Rooms")}</main>`,
    );
    const table = buildPageTable(document, () => 0);
    const texts = table.texts.map(({ data }) => data);
    const sums = Float32Array.from(texts, (text) => (text === "3" ? doubt : LIKELY));
    const sizes = new Float32Array(sums.length).fill(4);
    const keep = finish(decideBlocks(table, pageType, sums, sizes, undefined, "House", totalElements(table)));
    return texts.filter((_, block) => keep[block] === 1).join(" ");
  };
  expect(kept("article", -1.5)).toBe("House Cottage Kind 3 Rooms");
  expect(kept("article", -4)).toBe("House Cottage Kind Rooms");
  expect(kept("listing", -1.5)).toBe("House Cottage Kind Rooms");
});

test("where nearly all reviews or answers are kept, the doubtful ones are, too, however long", () => {
  const review = (name: string, sum: number): string =>
    `<div class="review" data-sum="${sum}"><b>${name}</b><p>${said(`${name}'s lantern`)}</p></div>`;
  const reviews = (doubtful: number): string => {
    const names = ["Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo"];
    return `<section>${names.map((name, index) => review(name, index < doubtful ? -1.2 : 3)).join("")}</section>`;
  };
  expect(keptOf("product", reviews(2)).join(" ")).toContain("Ada's lantern");
  expect(keptOf("product", reviews(5)).join(" ")).not.toContain("Ada's lantern");
});

test("on a page about a service, what opens at a click is kept in case of doubt", () => {
  const answers = ["the boat", "the bell"].map((what) => `<p data-sum="-0.8">${said(what)}</p>`);
  const page = (name: string): string =>
    `<main>${["the lamp", "the lens", "the stairs"].map((what) => `<p>${said(what)}</p>`).join("")}</main><div class="${name}"><div>${answers.join("</div><div>")}</div></div>`;
  expect(keptOf("service", page("faq-accordion")).join(" ")).toContain("the bell");
  expect(keptOf("service", page("boxes")).join(" ")).not.toContain("the bell");
  expect(keptOf("collection", page("faq-accordion")).join(" ")).not.toContain("the bell");
});

test("of three cards, two speak for the third where that is doubtful; one does not, nor do they for what is unlikely", () => {
  const card = (name: string, sum: number): string =>
    `<div class="card"><p data-sum="3">${said(name)}</p><div data-sum="${sum}">Told by ${name}</div></div>`;
  const kept = (type: PageType, ...sums: readonly number[]): string[] => {
    const cards = ["Ada", "Ben", "Cleo"].map((name, index) => card(name, sums[index]!));
    const after = `<p data-sum="-3">${said("nothing")}</p>`;
    return keptOf(type, `<main><div>${cards.join("")}</div></main>${after}`).filter((text) => text.startsWith("Told"));
  };
  expect(kept("service", 1, 1, -1)).toHaveLength(3);
  expect(kept("service", 1, -1.2, -1.2)).toHaveLength(1);
  expect(kept("service", 1, 1, -3)).toHaveLength(2);
  expect(kept("listing", 1, 1, -1)).toHaveLength(2);
});

test("a numbered list of single texts is kept whole if any is, as its numbers say; a list of links is not", () => {
  const list = (tag: string, step: (name: string) => string): string =>
    `<${tag}>${["Ada", "Ben", "Cleo", "Dan"].map((name) => `<li data-sum="${name === "Cleo" ? 2 : -2.5}">${step(name)}</li>`).join("")}</${tag}>`;
  const kept = (html: string): number =>
    keptOf("article", `<main><h1>Steps</h1><p>${said("all")}</p>${html}</main>`).filter((text) =>
      text.startsWith("Ask"),
    ).length;
  expect(kept(list("ol", (name) => `Ask ${name} for the key of the lamp room.`))).toBe(4);
  expect(kept(list("ul", (name) => `Ask ${name} for the key of the lamp room.`))).toBe(1);
  expect(kept(list("ol", (name) => `<a href="/${name}">Ask ${name} for the key of the lamp room.</a>`))).toBeLessThan(
    2,
  );
});
