/** Custom elements are boxes, except those that are words of a sentence, as cross-references in specifications are. */
import { expect, test } from "vitest";
import { keptOf } from "./main-content-given.ts";

test("a custom element amid a sentence is a word of it; alone, or with more in it than words, it is a box", () => {
  const sentence = 'Return ? <emu-xref><a href="#invoke">Invoke</a></emu-xref>(map, <emu-val>undefined</emu-val>).';
  expect(keptOf("documentation", `<ol><li>${sentence}</li></ol>`)).toEqual(["Return ? Invoke(map, undefined)."]);
  expect(keptOf("article", `<div>Lamps <x-card>One</x-card></div>`)).toEqual(["Lamps", "One"]);
  expect(keptOf("article", `<p><x-card>One</x-card><x-card>Two</x-card></p>`)).toEqual(["One", "Two"]);
  expect(keptOf("article", `<p>Lamps <x-card><b>One</b><i>Two</i></x-card></p>`)).toEqual(["Lamps", "OneTwo"]);
});
