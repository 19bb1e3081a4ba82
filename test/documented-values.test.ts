/** What the examples of doc comments say a line gives (`call(…); // value`), it gives. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import TurndownService from "turndown";
import { expect, test } from "vitest";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { readHtml } from "../src/transform/html/read-html.ts";

const source = resolve(import.meta.dirname, "../src");

/** What examples use beside what stands in their own file. */
const beside = { parse, scrapeRequest, readHtml, TurndownService, Buffer, Uint8Array };

/** The lines that tell their value, each with those before it. */
function valuesOf(example: string): [line: string, program: string, value: string][] {
  const lines = example.replaceAll(/^ \* ?/gm, "").split("\n");
  return lines.flatMap((line, index) => {
    const [, code, value] = /^(.+;) \/\/ (.+)$/.exec(line) ?? [];
    return code === undefined ? [] : [[code, [...lines.slice(0, index), code].join("\n"), value!]];
  });
}

const documented = readdirSync(source, { recursive: true }).flatMap((name) => {
  const file = String(name);
  if (!file.endsWith(".ts")) return [];
  const examples = readFileSync(join(source, file), "utf8").matchAll(/@example\n((?: \* .*\n)+?)(?: \*\/| \* @)/g);
  return [...examples]
    .filter(([example]) => !/\bawait\b/.test(example))
    .flatMap(([, example]) => valuesOf(example!).map((told) => [file, ...told] as const));
});

test("many examples tell values", () => expect(documented.length).toBeGreaterThan(15));

test.each(documented)("%s: %s", async (file, _line, program, value) => {
  const given = runInNewContext(program, { ...beside, ...(await import(join(source, file))) });
  // Objects of another context have other prototypes.
  expect(structuredClone(given)).toEqual(structuredClone(runInNewContext(`(${value})`)));
});
