// A site around a page's content, as the tests of main content use it: header, menu, cookie banner, footer.
import { textContent } from "domutils";
import { finish } from "../src/shared/turn.ts";
import { readHtml } from "../src/transform/html/read-html.ts";
import { writeHtml } from "../src/transform/html/write-html.ts";
import { keepMainContent, type MainContent } from "../src/transform/main-content.ts";

/** A whole page of a made-up site around `content`. */
export function page(title: string, content: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Harbour Lights</title>${head}
<style>.x{color:red}</style><script>window.dataLayer=[]</script></head><body class="page">
<a class="skip-link" href="#content">Skip to content</a>
<header class="site-header"><div class="logo"><a href="/">Harbour Lights</a></div>
<nav class="main-nav"><ul class="menu"><li><a href="/news">News</a></li><li><a href="/guides">Guides</a></li>
<li><a href="/shop">Shop</a></li><li><a href="/about">About us</a></li><li><a href="/login">Log in</a></li></ul></nav></header>
<div class="cookie-banner" id="cookie-consent" role="dialog"><p>We use cookies to improve your experience. By continuing to use this site you accept our cookie policy.</p>
<button>Accept all</button><button>Manage preferences</button></div>
${content}
<footer class="site-footer"><div class="newsletter"><h3>Sign up for our newsletter</h3><p>Get the latest stories delivered to your inbox every week.</p></div>
<ul class="footer-links"><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li><li><a href="/contact">Contact</a></li></ul>
<p class="copyright">© 2026 Harbour Lights Ltd. All rights reserved.</p></footer></body></html>`;
}

/** What every page of the site has and no main content may contain. */
export const FRAME_TEXTS = [
  "Skip to content",
  "Log in",
  "We use cookies",
  "Manage preferences",
  "Sign up for our newsletter",
  "Privacy policy",
  "All rights reserved",
];

export interface Kept extends MainContent {
  /** The text left, white space collapsed. */
  readonly text: string;
  readonly html: string;
}

export function keep(html: string, url: string): Kept {
  const { document } = readHtml(html);
  const result = finish(keepMainContent(document, { url }));
  return { ...result, text: textContent(document).replace(/\s+/g, " ").trim(), html: writeHtml(document) };
}

/** Those of the texts that stand in `text`. */
export function found(text: string, texts: readonly string[]): string[] {
  return texts.filter((one) => text.includes(one));
}
