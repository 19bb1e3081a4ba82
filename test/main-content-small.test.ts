/** Pages of few words, as a scrape gives them. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";
import { engineFor, site } from "./start-engine.ts";

test("a thread of few words keeps its answers, which some systems call comments", async () => {
  const answers = [
    ["skua", "Ten minutes earlier means that the bus from the hill no longer connects."],
    ["dockhand", "The bus company says that it will move its times, too, but not before May."],
  ];
  const comments = answers.map(
    ([name, text]) =>
      `<li class="comment"><article class="details comment-node"><div class="ms-2"><div class="d-flex"><a class="person-listing" href="/u/${name}">@${name}</a><span class="moment-time">1 day ago</span></div><div class="comment-content"><div class="md-div"><p>${text}</p></div></div><div class="comment-buttons"><button title="reply"></button></div></div></article></li>`,
  );
  const markdown = await scraped(
    `<!doctype html><html lang="en"><head><title>PSA: the ferry timetable changes on Monday - Harbour Lemmy</title></head><body><div id="root"><div class="lemmy-site"><button>Skip to content</button>
<div class="shadow-sm"><nav class="navbar"><a class="navbar-brand" href="/">Harbour Lemmy</a><ul><li><a href="/communities">Communities</a></li><li><a href="/create">Create Post</a></li><li><a href="/support">Support Lemmy</a></li></ul></nav></div>
<div class="mt-4 p-0 fl-1"><div class="post container-lg"><div class="row"><main class="col-12 col-md-8"><div class="post-listing mt-2"><article class="row post-container"><div class="col flex-grow-1"><div class="vote-bar"><button>63</button></div>
<h1 class="h5 d-inline text-break">PSA: the ferry timetable changes on Monday</h1><span class="small"><a class="person-listing" href="/u/dockhand">@dockhand</a> to <a href="/c/harbour">Harbour</a> · <span class="moment-time">1 day ago</span></span><div class="d-flex"><a href="#comments">2 Comments</a></div></div></article>
<div class="post-body"><article id="postContent" class="md-div"><p>From Monday the 07:15 leaves at 07:05 and there is no boat at noon.</p><ul><li>The last boat stays at 22:40.</li><li>Bikes are free until October.</li></ul></article></div></div>
<div class="comment-sort">Hot Top Controversial New Old</div><ul class="comments">${comments.join("")}</ul></main>
<aside class="d-none d-md-block col-md-4"><section class="card"><h5>Harbour</h5><p>All about the harbour and its boats. Be kind.</p><ul><li>14 users / day</li></ul></section></aside></div></div></div><footer class="navbar"><div>BE: 0.19.5 <a href="/modlog">Modlog</a></div></footer></div></div></body></html>`,
    {},
    "/post/9911",
  );
  expect(markdown).toContain("no boat at noon");
  for (const [name, text] of answers) {
    expect(markdown).toContain(text);
    expect(markdown).toContain(`@${name}`);
  }
});

test("a manual's page of few words does not ask whether it helped", async () => {
  const markdown = await scraped(
    `<!doctype html><html lang="en"><head><title>Printing labels</title></head><body><nav class="sidebar"><a href="/docs/rates">Rates</a><a href="/docs/tracking">Tracking</a></nav>
<main><article id="content"><h1>Printing labels</h1><p>Buy and print a label in two requests. A label can be voided until the carrier has scanned it.</p><pre><code>curl -X POST https://api.example/labels</code></pre>
<div class="helpful"><div>Did this page help you?</div></div></article></main></body></html>`,
    {},
    "/docs/labels",
  );
  expect(markdown).toContain("voided");
  expect(markdown).not.toContain("help you");
});

test("a letter of few words does not begin with the menu above its subject", async () => {
  const months = "November October September August July June May April March February January".split(" ");
  const menu = months.map((month) => `<li><a href="/list/harbour/${month}/">${month}</a></li>`).join("");
  const markdown = await scraped(
    `<!doctype html><html lang="en"><head><title>Re: The lamps are out - harbour@lists.example</title></head><body><nav class="navbar"><a href="/">Lists</a></nav><div class="container"><div class="row">
<div class="col-sm-2"><div class="row"><div class="accordion"><div class="card"><div class="card-header"><h3 class="card-title btn btn-link"><a data-toggle="collapse">2026</a></h3></div><div class="panel-collapse show"><div class="card-body"><ul class="list-unstyled">${menu}</ul></div></div></div></div></div><div class="col-md-2"><a href="/list/harbour/" class="btn">List overview</a></div></div>
<div class="col-md-10"><div class="message-header row"><h1>Re: The lamps are out</h1></div><div class="row"><div class="col-lg-9"><section id="thread-content"><div class="email"><div class="email-header"><div class="email-author"><span class="name">Bo Mast</span></div></div>
<div class="email-body"><p>On Monday Ada Keel wrote:</p><div class="quoted-switch"><a href="#">...</a></div><blockquote><p>Who has a spare cable?\nForty metres would do.</p></blockquote><p>The cable in the shed would do, if somebody measures it first. Please do not cut it before Friday.</p></div></div></section></div>
<div class="col-lg-3"><p><a href="/list/harbour/"><span>Back to the list</span></a></p></div></div></div></div></div><footer class="footer"><p>Powered by a list server.</p></footer></body></html>`,
    {},
    "/list/harbour/message/IT3K",
  );
  expect(markdown).toMatch(/^# Re: The lamps are out\n/);
  expect(markdown).toContain("> Who has a spare cable?  \n> Forty metres would do.\n\nThe cable in the shed");
  expect(markdown).not.toMatch(/November|overview|\.\.\./);
});

test.each([
  ["a heading above nothing but the page's foot", "<h2>Closed for repairs</h2><footer>Harbour office</footer>"],
  ["headings only", "<h2>Closed for repairs</h2><header><h6>Harbour office</h6></header>"],
  [
    "a heading in the main part",
    "<article><main><h6>Closed for repairs</h6></main><fieldset><kbd>F1</kbd></fieldset></article>",
  ],
])("%s: a page of which nothing would be left is returned whole", async (_, body) => {
  const { url } = await site({
    "/": `<!doctype html><html><head><title>Harbour</title></head><body>${body}</body></html>`,
  });
  const { data } = await engineFor().scrape({ url, formats: ["markdown", "html"] });
  expect(data.markdown).toContain("Closed for repairs");
  expect(data.html).toContain("Closed for repairs");
  expect(data.warning).toBe("No main content was found; the whole page is returned instead.");
});
