// Boxes that a style sheet puts next to each other.
import { expect, it } from "vitest";
import { markdownOf } from "./transform-input.ts";

const pill = (text: string): string => `<div class="px-2 rounded-md"><span>${text}</span></div>`;

it("short texts in a row are one line", async () => {
  const field = `<div class="flex font-mono text-sm"><div class="flex-1 content-start"><div class="flex items-center gap-2">
    <div class="font-semibold">retries</div><div class="inline text-xs">${pill("integer")}${pill("default: 3")}</div></div></div></div>
    <div class="mt-4"><p>How often a job is tried again.</p></div>`;
  expect(await markdownOf(field)).toBe("retries integer default: 3\n\nHow often a job is tried again.");
  const rating = '<div class="d-flex"><span>4.8</span><span>(9 jobs)</span><div>un<b>believ</b>able</div></div>';
  expect(await markdownOf(rating)).toBe("4.8 (9 jobs) un**believ**able");
});

it("columns, blocks and long texts are none", async () => {
  for (const className of ["flex flex-col gap-2", "grid", "md:flex"]) {
    expect(await markdownOf(`<div class="${className}"><div>one</div><div>two</div></div>`)).toBe("one\n\ntwo");
  }
  expect(await markdownOf('<div class="flex"><h2>Title</h2><div>two</div></div>')).toBe("## Title\n\ntwo");
  const long = "A sentence of so many letters is not one of several facts.";
  expect(await markdownOf(`<div class="flex"><div>${long}</div><div>two</div></div>`)).toBe(`${long}\n\ntwo`);
});

it("the label of a field has a colon, as its style sheet says", async () => {
  const field = (label: string, value: string): string =>
    `<div class="field field--label-inline"><div class="field__label">${label}</div>${value}</div>`;
  expect(await markdownOf(field("Rooms", '<div class="field__item">3</div>'))).toBe("Rooms: 3");
  expect(await markdownOf(field("Rooms:&nbsp;", '<div class="field__item">3</div>'))).toBe("Rooms: 3");
  expect(await markdownOf(field("Rooms", "<ul><li>3</li></ul>"))).toBe("Rooms\n\n- 3");
});

it("numbers of two texts are two numbers", async () => {
  expect(await markdownOf("<p><span>Chapter 3</span><span>20 pages</span></p>")).toBe("Chapter 3 20 pages");
  expect(await markdownOf("<p><span>Version 1</span><span>2</span></p>")).toBe("Version 12");
  expect(await markdownOf("<p><span>1</span><span>0 points</span></p>")).toBe("10 points");
});
