/** Pages as served by application frameworks and bot guards, each filled by a script of its own. */
const filled = "Text that a script has written, long enough to be read by somebody. ".repeat(12);
const fill = (selector: string) =>
  `<script>setTimeout(() => { document.querySelector(${JSON.stringify(selector)}).innerHTML = "<h1>Filled</h1><p>${filled}</p>" }, 50)</script>`;
const styles = `<style>${".a{color:red}".repeat(300)}</style>`;
const state = `<script>window.__STATE__ = ${JSON.stringify({ rows: Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` })) })}</script>`;

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>${head}</head><body>${body}</body></html>`;

export const shells: Readonly<Record<string, string>> = {
  "React, created": page(
    styles,
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${fill("#root")}`,
  ),
  "React, Vite": page(
    '<script type="module" src="/assets/index-4f2a.js"></script>',
    `<div id="root"></div>${fill("#root")}`,
  ),
  "Vue CLI": page(
    styles,
    `<noscript><strong>We're sorry but app doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><!-- built files will be auto injected -->${fill("#app")}`,
  ),
  Angular: page(
    '<base href="/">',
    `<app-root></app-root><script src="/runtime.js" type="module"></script>${fill("app-root")}`,
  ),
  "Nuxt, client only": page(state, `<div id="__nuxt"><!----></div>${fill("#__nuxt")}`),
  "Next, exported empty": page("", `<div id="__next"></div>${state}${fill("#__next")}`),
  Svelte: page("", `<div id="svelte"></div>${fill("#svelte")}`),
  Ember: page(
    '<meta name="app/config" content="x">',
    `<div id="ember-basic-dropdown-wormhole"></div><div class="ember"></div>${fill(".ember")}`,
  ),
  Flutter: page("", `<flutter-view></flutter-view><script src="/flutter.js" defer></script>${fill("flutter-view")}`),
  "a spinner": page(styles, `<div id="app"><div class="spinner">Loading...</div></div>${fill("#app")}`),
  "a bare body": page("", `<div class="layout"></div>${state}${fill(".layout")}`),
  "a menu and nothing": page(
    "",
    `<nav><a href="/">Home</a><a href="/about">About</a></nav><div id="main-app"></div>${fill("#main-app")}`,
  ),
  "capital letters": `<HTML><HEAD><TITLE>App</TITLE></HEAD><BODY><DIV ID="app"></DIV>${fill("#app").replace("<script>", "<SCRIPT>").replace("</script>", "</SCRIPT>")}</BODY></HTML>`,
  "a challenge": page(
    "<title>Just a moment...</title>",
    `<h1>Checking if the site connection is secure</h1><script>window._cf_chl_opt = {}; setTimeout(() => { document.body.innerHTML = "<p>${filled}</p>" }, 50)</script>`,
  ),
};
