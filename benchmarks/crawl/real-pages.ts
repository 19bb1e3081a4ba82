/**
 * Pages with the size and structure of real ones: 100 KB and more, most of it not text. They have styles and scripts,
 * a large menu with icons, generated class names, data attributes, and an article, a manual or a listing in the middle.
 * They are assembled from prepared blocks, so that serving them costs next to nothing.
 */
import { Random } from "./random.ts";
import { childrenOf, pagePath } from "./site-graph.ts";
import { phrase, sentence } from "./words.ts";

const many = (count: number, make: () => string): string => Array.from({ length: count }, make).join("\n");

export function realPages(pages: number): (index: number) => Buffer {
  const random = new Random(1);
  const classes = Array.from({ length: 120 }, () => `css-${random.code(7)} ${random.code(6)}${random.below(9)}`);
  const attributes = (): string =>
    `class="${random.pick(classes)}" data-testid="${random.code(12)}" data-track='{"id":"${random.code(10)}","pos":${random.below(40)}}'`;
  const anyPage = (): string => pagePath(random.below(pages));
  const link = (text: string): string => {
    const href = random.below(20) === 0 ? `https://site-${random.below(50)}.example/${random.code(6)}` : anyPage();
    return `<a ${random.below(3) === 0 ? attributes() : `class="${random.pick(classes)}"`} href="${href}">${text}</a>`;
  };
  const icon = (): string =>
    `<svg aria-hidden="true" focusable="false" viewBox="0 0 24 24" class="${random.pick(classes)}"><path d="M${many(14, () => `${random.below(24)}.${random.below(99)} ${random.below(24)}.${random.below(99)}`).replaceAll("\n", "L")}z"></path></svg>`;
  const picture = (): string => {
    const name = `/media/${random.code(16)}`;
    return `<picture ${attributes()}><source type="image/webp" srcset="${name}.webp?w=320 320w, ${name}.webp?w=640 640w, ${name}.webp?w=1280 1280w"><img loading="lazy" src="${name}.jpg?w=640" srcset="${name}.jpg?w=320 320w, ${name}.jpg?w=640 640w" alt="${phrase(random, 5)}" width="640" height="360"></picture>`;
  };
  const text = (sentences: number): string => many(sentences, () => sentence(random, link)).replaceAll("\n", " ");
  const prepared = (count: number, make: () => string): Buffer[] =>
    Array.from({ length: count }, () => Buffer.from(make()));

  const style = (): string =>
    `<style data-emotion="css">${many(160, () => `.${random.pick(classes).split(" ")[0]}{display:flex;padding:${random.below(40)}px ${random.below(40)}px;color:#${random.code(6)};transition:all .${random.below(9)}s ease-in-out}`)}</style>`;
  const state = (): string =>
    `<script id="__STATE__" type="application/json">{${many(150, () => `"${random.code(8)}":{"id":"${random.code(20)}","title":"${phrase(random, 6)}","enabled":${random.below(2) === 0},"weight":${random.below(1000)}},`)}"end":0}</script>`;
  const script = (): string =>
    `<script>${many(120, () => `!function(e,t){if(e.length<t&&"<div>"!==e){window.${random.code(5)}=e.push(t)}}([],${random.below(99)});`)}</script>`;
  const head = many(
    28,
    () => `<link rel="preload" as="script" href="/static/chunks/${random.code(20)}.js" crossorigin="anonymous">`,
  );
  const menu = (): string =>
    `<header ${attributes()}><nav aria-label="Main" ${attributes()}><ul role="menubar">${many(10, () => `<li role="none" ${attributes()}><button aria-expanded="false" ${attributes()}>${icon()}<span>${phrase(random, 2)}</span></button><div class="mega-menu" hidden><ul>${many(7, () => `<li ${attributes()}>${link(phrase(random, 3))}</li>`)}</ul></div></li>`)}</ul></nav></header>`;
  const footer = `<footer ${attributes()}>${many(5, () => `<div ${attributes()}><h2>${phrase(random, 2)}</h2><ul>${many(8, () => `<li>${link(phrase(random, 2))}</li>`)}</ul></div>`)}<p>${text(3)}</p></footer>`;

  const shared = {
    head: Buffer.from(head),
    styles: prepared(3, style),
    states: prepared(8, state),
    scripts: prepared(6, script),
    menu: Buffer.from(menu()),
    footer: Buffer.from(footer),
  };
  const paragraphs = prepared(600, () => `<p ${attributes()}>${text(random.between(2, 6))}</p>\n`);
  const headings = prepared(200, () => `<h2 id="${random.code(8)}" ${attributes()}>${phrase(random, 5)}</h2>\n`);
  const extras = prepared(200, () =>
    random.pick([
      () => `<figure ${attributes()}>${picture()}<figcaption>${text(1)}</figcaption></figure>`,
      () => `<ul>${many(6, () => `<li>${text(1)}</li>`)}</ul>`,
      () => `<blockquote ${attributes()}><p>${text(2)}</p></blockquote>`,
      () => `<div class="ad-slot" ${attributes()}><div ${attributes()}><span>${phrase(random, 3)}</span></div></div>`,
    ])(),
  );
  const code = prepared(200, () => {
    const line = (): string =>
      `<span class="line"><span class="k">const</span> <span class="n">${random.code(6)}</span> <span class="o">=</span> <span class="nf">${random.code(8)}</span>(<span class="s">"${phrase(random, 2)}"</span>);</span>`;
    return `<div class="highlight" ${attributes()}><pre><code class="language-ts">${many(random.between(4, 18), line)}\n</code></pre></div>`;
  });
  const tables = prepared(60, () => {
    const row = (): string =>
      `<tr ${attributes()}>${many(4, () => `<td ${attributes()}>${phrase(random, 3)}</td>`)}</tr>`;
    return `<table ${attributes()}><thead><tr>${many(4, () => `<th>${phrase(random, 1)}</th>`)}</tr></thead><tbody>${many(random.between(4, 14), row)}</tbody></table>`;
  });
  const cards = prepared(
    500,
    () =>
      `<article ${attributes()}>${picture()}<div ${attributes()}><h3 ${attributes()}>${link(phrase(random, 6))}</h3><p>${text(2)}</p><div ${attributes()}><span>${icon()}${random.below(60)} min</span><time datetime="2025-01-01">1 January</time></div></div></article>\n`,
  );

  /** The middle of a page, by kind. */
  const middles: readonly ((chance: Random, size: number) => Buffer[])[] = [
    (chance, size) =>
      Array.from({ length: size }, (_, index) => [
        ...(index % 6 === 0 ? [chance.pick(headings)] : []),
        chance.pick(paragraphs),
        ...(index % 4 === 1 ? [chance.pick(extras)] : []),
      ]).flat(),
    (chance, size) =>
      Array.from({ length: Math.ceil(size / 2) }, (_, index) => [
        ...(index % 3 === 0 ? [chance.pick(headings)] : []),
        chance.pick(paragraphs),
        chance.pick(code),
        ...(index % 5 === 2 ? [chance.pick(tables)] : []),
      ]).flat(),
    (chance, size) => Array.from({ length: Math.ceil(size * 0.8) }, () => chance.pick(cards)),
  ];

  return (index) => {
    const chance = new Random(index + 100);
    const title = `Page ${index}: ${phrase(chance, 5)}`;
    const own = childrenOf(index, pages).map((child) => `<li><a href="${pagePath(child)}">Page ${child}</a></li>`);
    const middle = middles[index % 4 === 3 ? 2 : index % 4 === 2 ? 1 : 0]!(chance, chance.between(18, 60));
    return Buffer.concat([
      Buffer.from(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${phrase(chance, 18)}"><meta property="og:title" content="${title}"><meta property="og:type" content="article">`,
      ),
      shared.head,
      chance.pick(shared.styles),
      chance.pick(shared.scripts),
      Buffer.from("</head><body>"),
      shared.menu,
      Buffer.from(`<main id="main"><h1>${title}</h1>`),
      ...middle,
      Buffer.from(`</main><aside><h2>In this part</h2><ul>${own.join("")}</ul></aside>`),
      chance.pick(cards),
      chance.pick(cards),
      shared.footer,
      chance.pick(shared.states),
      chance.pick(shared.scripts),
      Buffer.from("</body></html>"),
    ]);
  };
}
