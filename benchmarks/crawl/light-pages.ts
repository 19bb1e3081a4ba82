/** Pages of about 10 KB, like those of a manual: a small menu, text, a code block, a table. */
import { Random } from "./random.ts";
import { childrenOf, pagePath } from "./site-graph.ts";
import { phrase, sentence } from "./words.ts";

export function lightPages(pages: number): (index: number) => Buffer {
  const random = new Random(2);
  const link = (text: string): string => `<a href="${pagePath(random.below(pages))}">${text}</a>`;
  const make = (count: number, one: () => string): string => Array.from({ length: count }, one).join("\n");
  const prepared = (count: number, one: () => string): Buffer[] =>
    Array.from({ length: count }, () => Buffer.from(one()));
  const menu = Buffer.from(
    `<header><nav><ul>${make(30, () => `<li>${link(phrase(random, 2))}</li>`)}</ul></nav></header>`,
  );
  const paragraphs = prepared(400, () => `<p>${make(random.between(2, 5), () => sentence(random, link))}</p>\n`);
  const code = prepared(
    60,
    () =>
      `<pre><code class="language-js">${make(8, () => `const ${random.code(5)} = ${random.code(7)}(${random.below(99)});`)}</code></pre>\n`,
  );
  const tables = prepared(
    60,
    () =>
      `<table><tr><th>Name</th><th>Meaning</th></tr>${make(6, () => `<tr><td>${random.code(6)}</td><td>${phrase(random, 5)}</td></tr>`)}</table>\n`,
  );
  const footer = Buffer.from(`<footer>${make(20, () => link(phrase(random, 2)))}</footer></body></html>`);

  return (index) => {
    const chance = new Random(index + 100);
    const title = `Page ${index}: ${phrase(chance, 4)}`;
    const own = childrenOf(index, pages).map((child) => `<li><a href="${pagePath(child)}">Page ${child}</a></li>`);
    const middle = Array.from({ length: 16 }, (_, part) =>
      part % 5 === 2 ? chance.pick(code) : part % 7 === 5 ? chance.pick(tables) : chance.pick(paragraphs),
    );
    return Buffer.concat([
      Buffer.from(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${phrase(chance, 12)}"></head><body>`,
      ),
      menu,
      Buffer.from(`<main><h1>${title}</h1>`),
      ...middle,
      Buffer.from(`<h2>In this part</h2><ul>${own.join("")}</ul></main>`),
      footer,
    ]);
  };
}
