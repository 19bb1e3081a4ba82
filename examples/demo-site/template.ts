/**
 * Puts a page into the frame that real sites have: navigation, a consent banner, side columns, share buttons,
 * a footer, inline styles and scripts. To find the main content among it is the crawler's work.
 */
import type { DemoPage } from "./read-pages.ts";

const sections = [
  ["/", "Home"],
  ["/about/", "About"],
  ["/visit/", "Visit"],
  ["/observing/", "Observing"],
  ["/journal/", "Journal"],
  ["/docs/", "Plumb docs"],
  ["/shop/", "Shop"],
  ["/events/", "Events"],
  ["/forum/", "Forum"],
] as const;

const documentation = [
  "",
  "install",
  "quick-start",
  "configuration",
  "api",
  "scheduling",
  "data-format",
  "troubleshooting",
  "changelog",
];

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const link = (href: string, text: string): string => `<li><a href="${href}">${text}</a></li>`;

function head(page: DemoPage, origin: string): string {
  const meta = (key: string, name: string, content: string | undefined): string =>
    content ? `<meta ${key}="${name}" content="${escapeHtml(content)}">` : "";
  const address = page.path === "" ? undefined : origin + page.path;
  return [
    `<meta charset="${page.charset}">`,
    `<title>${escapeHtml(page.title)} | Tarn Hill</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    meta("name", "description", page.description),
    meta("name", "author", page.author),
    meta("name", "keywords", page.tags.join(", ")),
    meta("name", "robots", "index, follow"),
    meta("name", "dcterms.created", page.date),
    meta("property", "og:title", page.title),
    meta("property", "og:description", page.description),
    meta("property", "og:url", address),
    meta("property", "og:image", `${origin}/images/card.svg`),
    meta("property", "og:site_name", "Tarn Hill Observatory"),
    meta("property", "og:type", page.layout === "article" ? "article" : "website"),
    meta("property", "article:published_time", page.date && `${page.date}T18:00:00Z`),
    meta("property", "article:section", page.layout === "article" ? "Journal" : undefined),
    address && `<link rel="canonical" href="${address}">`,
    '<link rel="icon" href="/images/favicon.svg">',
    '<link rel="alternate" hreflang="pl" href="/pl/">',
    "<style>body{font:17px/1.6 Georgia,serif;margin:0}.site-header,.site-footer{background:#14213d;color:#fff;padding:1rem}.cookie-banner{position:fixed;bottom:0}.sidebar{float:right;width:16rem}</style>",
    '<script>window.dataLayer=window.dataLayer||[];function track(){dataLayer.push(arguments)}track("page",{"a":"<p>not content</p>"});</script>',
    page.jsonld ? `<script type="application/ld+json">${page.jsonld}</script>` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

function breadcrumbs(page: DemoPage): string {
  const section = sections.find(([href]) => href !== "/" && href !== page.path && page.path.startsWith(href));
  const steps = [
    link("/", "Home"),
    section === undefined ? "" : link(section[0], section[1]),
    `<li>${escapeHtml(page.title)}</li>`,
  ];
  return `<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${steps.join("")}</ol></nav>`;
}

const share =
  '<div class="share-buttons"><span>Share</span> <a href="https://social.example/share" rel="nofollow">Post</a> <a href="mailto:?subject=Tarn%20Hill">E-mail</a> <button>Copy link</button></div>';
const newsletter =
  '<div class="newsletter"><h3>Letters from the hill</h3><p>Once a month, no more. Unsubscribe by not reading it.</p><form action="/search"><input type="email" placeholder="you@example.com"><button>Subscribe</button></form></div>';

/** The frame round the body differs by layout, as it does between sites. */
const layouts: Readonly<Record<DemoPage["layout"], (page: DemoPage, related: string) => string>> = {
  plain: (page) => `${page.path === "/" ? "" : breadcrumbs(page)}<div id="content" class="wrap">${page.body}</div>`,
  article: (page, related) => `${breadcrumbs(page)}
<main class="wrap"><article class="post">
${page.body}
<p class="byline">By <span rel="author">${escapeHtml(page.author ?? "the society")}</span>${page.date ? `, <time datetime="${page.date}">${page.date}</time>` : ""}</p>
</article>
${share}
</main>
<aside class="sidebar">${newsletter}<div class="related-posts"><h3>You may also like</h3><ul>${related}</ul></div></aside>`,
  docs: (page) => `<div class="docs-layout">
<nav class="docs-nav" aria-label="Documentation"><p>Plumb 2.4</p><ul>${documentation.map((name) => link(name ? `/docs/${name}/` : "/docs/", name || "Overview")).join("")}</ul></nav>
<main role="main" class="docs-content">${page.body}
<nav class="pager"><a rel="prev" href="/docs/">Overview</a> <a rel="next" href="/docs/changelog/">Changelog</a></nav>
<p class="edit-link"><a href="https://code.tarnhill.example/plumb/edit${page.path}">Edit this page</a></p></main>
</div>`,
  product: (page, related) => `${breadcrumbs(page)}<main><section class="product">${page.body}
<form class="buy"><label>Quantity <input type="number" value="1"></label><button>Ask for it</button></form></section></main>
<section class="also-bought"><h3>Others also looked at</h3><ul>${related}</ul></section>`,
  forum: (page, related) => `${breadcrumbs(page)}<div class="col-main">${page.body}</div>
<div class="col-side"><div class="widget"><h4>Active threads</h4><ul>${related}</ul></div><div class="widget ad"><h4>Advertisement</h4><p>Nothing is advertised here.</p></div></div>`,
};

/** The whole HTML of a page. */
export function renderPage(page: DemoPage, origin: string, related: readonly DemoPage[]): string {
  const relatedList = related.map((other) => link(other.path, escapeHtml(other.title))).join("");
  return `<!DOCTYPE html>
<html lang="${page.lang}">
<head>
${head(page, origin)}
</head>
<body class="layout-${page.layout}">
<a class="skip-link" href="#content">Skip to content</a>
<div class="cookie-banner" role="dialog" aria-label="Cookies"><p>We use one cookie, to remember that you have seen this. It is not needed for anything else.</p><button>Accept</button> <a href="/colophon/">More</a></div>
<header class="site-header"><a class="logo" href="/"><img src="/images/logo.svg" alt="Tarn Hill"></a>
<nav class="site-nav" aria-label="Main"><ul>${sections.map(([href, text]) => link(href, text)).join("")}</ul></nav>
<form class="search" action="/search" role="search"><input name="q" aria-label="Search"><button>Search</button></form></header>
${layouts[page.layout](page, relatedList)}
<footer class="site-footer"><p>&copy; Tarn Hill Observatory Society. Registered nowhere, run by volunteers.</p>
<ul>${link("/visit/faq/", "FAQ")}${link("/visit/accessibility/", "Accessibility")}${link("/colophon/", "Colophon")}${link("/shop/", "Shop")}${link("/pl/", "Polski")}${link("/ja/", "&#26085;&#26412;&#35486;")}</ul></footer>
<script>document.querySelectorAll(".cookie-banner button").forEach(function(b){b.onclick=function(){b.parentNode.remove()}});</script>
<noscript><img src="/images/pixel.svg" alt=""></noscript>
</body>
</html>
`;
}
