/** The journal's index: articles from new to old, a few on each of its pages. */
import type { DemoPage } from "./read-pages.ts";
import { escapeHtml } from "./template.ts";

const articlesOnAPage = 5;

/** Number of pages of the index. */
export const journalPages = (articles: readonly DemoPage[]): number => Math.ceil(articles.length / articlesOnAPage);

/** One page of the index, counted from 1. */
export function journalIndex(articles: readonly DemoPage[], number: number): DemoPage {
  const sorted = articles.toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
  const shown = sorted.slice((number - 1) * articlesOnAPage, number * articlesOnAPage);
  const teasers = shown.map(
    (article) => `<article class="teaser"><h2><a href="${article.path}">${escapeHtml(article.title)}</a></h2>
<p class="meta"><time datetime="${article.date}">${article.date}</time> · ${escapeHtml(article.author ?? "")} · ${article.tags.join(", ")}</p>
<p>${escapeHtml(article.description)} <a class="more" href="${article.path}#more">Read on</a></p></article>`,
  );
  const pager = Array.from({ length: journalPages(articles) }, (_, index) => index + 1).map((page) =>
    page === number
      ? `<span aria-current="page">${page}</span>`
      : `<a href="${page === 1 ? "/journal/" : `/journal/?page=${page}`}">${page}</a>`,
  );
  return {
    path: number === 1 ? "/journal/" : `/journal/?page=${number}`,
    title: number === 1 ? "Journal" : `Journal, page ${number}`,
    description: "Stories, measurements and mistakes from the hill.",
    layout: "plain",
    lang: "en-GB",
    charset: "utf-8",
    tags: [],
    body: `<h1>Journal</h1><p>Stories, measurements and mistakes from the hill, the newest first.</p>${teasers.join("\n")}<nav class="pagination">${pager.join(" ")}</nav>`,
  };
}
