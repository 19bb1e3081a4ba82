import { expect, test } from "vitest";
import { FRAME_TEXTS, found, keep, page } from "./main-content-frame.ts";
import { engineFor, site } from "./start-engine.ts";

const paragraphs = [
  "The old ferry terminal at the mouth of the river will open again next spring, the harbour board said on Tuesday, more than a decade after the last regular crossing left the quay.",
  "Engineers found that the timber piles under the western pier were in better condition than expected. “We had planned to replace all of them,” said Marta Olsen, who leads the project, “but two thirds can stay where they are.”",
  "The board expects around four hundred passengers a day in the first season. Tickets will cost the same as a bus ride across the bridge, and bicycles travel free of charge.",
  "Residents on the northern bank have asked for a later evening crossing. A decision is expected in March, when the timetable for the summer is published.",
];

const article = page(
  "Ferry terminal to reopen after eleven years",
  `<main id="content"><article class="post">
<nav class="breadcrumb"><a href="/">Home</a> › <a href="/news">News</a> › <a href="/news/harbour">Harbour</a></nav>
<h1 class="post-title">Ferry terminal to reopen after eleven years</h1>
<div class="share-buttons"><a href="#">Share on Facebook</a><a href="#">Share on X</a><a href="#">Copy link</a></div>
<div class="post-content"><p>${paragraphs[0]}</p><figure><img src="/pier.jpg" alt="The western pier"><figcaption>The western pier in October, seen from the bridge.</figcaption></figure>
<p>${paragraphs[1]}</p><video src="/crossing.mp4" controls>Your browser does not support the video tag.</video><h2>A modest timetable</h2><p>${paragraphs[2]}</p>
<ul><li>Mondays to Fridays: every twenty minutes from six in the morning</li><li>Weekends: every half hour from eight</li></ul>
<p>${paragraphs[3]} More in the <a href="/guides/timetable">guide to the timetable</a>.</p></div></article>
<section class="related-posts"><h2>Related articles</h2><div class="card"><a href="/a"><h3>Five walks along the estuary</h3></a></div>
<div class="card"><a href="/b"><h3>Why the lighthouse lost its keeper</h3></a></div><div class="card"><a href="/c"><h3>Fish market moves to the east dock</h3></a></div></section>
<section id="comments" class="comments"><h2>3 comments</h2><form><label>Leave a reply</label><textarea></textarea><button>Post comment</button></form></section></main>
<aside class="sidebar"><h3>Most read</h3><ol><li><a href="/d">Storm warning for the weekend</a></li><li><a href="/e">New bakery on Quay Street</a></li></ol></aside>`,
);

test("an article keeps its paragraphs, headings, list and caption, and loses the site around it", () => {
  const { kept, pageType, text, title } = keep(article, "https://harbour.example/news/ferry-terminal-to-reopen");
  expect(kept).toBe(true);
  expect(pageType).toBe("article");
  expect(title).toBe("Ferry terminal to reopen after eleven years | Harbour Lights");
  expect(found(text, paragraphs)).toEqual(paragraphs);
  expect(text).toContain("A modest timetable");
  expect(text).toContain("Weekends: every half hour from eight");
  expect(found(text, FRAME_TEXTS)).toEqual([]);
  expect(found(text, ["Fish market moves", "Post comment", "Share on Facebook", "Storm warning"])).toEqual([]);
});

test("pictures, players and links inside of the article stay where they are", () => {
  const { html } = keep(article, "https://harbour.example/news/ferry-terminal-to-reopen");
  expect(html).toContain('src="/pier.jpg"');
  expect(html).toContain('src="/crossing.mp4"');
  expect(html).toContain('href="/guides/timetable"');
  expect(html).not.toContain('href="/privacy"');
});

test("pictures and players in the main content keep the addresses that stand in sources", async () => {
  const waiting = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const server = await site({
    "/": page(
      "Ferry terminal to reopen",
      `<main><article><h1>Ferry terminal to reopen</h1><p>${paragraphs[0]}</p><p>${paragraphs[1]}</p>
<figure><picture><source srcset="/pier.webp 1x, /pier-large.webp 2x" type="image/webp"><img alt="The pier" src="${waiting}"></picture></figure>
<p>${paragraphs[2]}</p><video controls><source src="/crossing.mp4" type="video/mp4"></video><p>${paragraphs[3]}</p></article></main>`,
    ),
  });
  const { data } = await engineFor().scrape({ url: server.url, formats: ["markdown", "html"] });
  expect(data.markdown).toContain(`![The pier](${server.url}/pier-large.webp)`);
  expect(data.markdown).toContain(`](${server.url}/crossing.mp4)`);
  expect(data.html).toContain(`<video controls><source src="${server.url}/crossing.mp4" type="video/mp4"></video>`);
});

test("tables in the main content keep rows without text, which cells above may span", async () => {
  const server = await site({
    "/": page(
      "Ferry terminal to reopen",
      `<main><article><h1>Ferry terminal to reopen</h1><p>${paragraphs[0]}</p><p>${paragraphs[1]}</p>
<table><tr><th>Day</th><th>Crossings</th></tr><tr><td rowspan="2">Monday</td><td>Every hour</td></tr><tr><td></td></tr>
<tr><td>Tuesday</td><td>Every half hour</td></tr></table><p>${paragraphs[2]}</p>
<table><tr><th>From</th><th>To</th></tr><tr><td rowspan="2">Quay</td><td rowspan="2">Island</td></tr><tr></tr>
<tr><td>Island</td><td>Quay</td></tr><tr><td></td><td><img src="/map.png" alt="Map"></td></tr></table>
<p>${paragraphs[3]}</p></article></main>`,
    ),
  });
  const { markdown } = (await engineFor().scrape({ url: server.url })).data;
  expect(markdown).toContain("| Monday | Every hour |\n| Tuesday | Every half hour |");
  expect(markdown).toContain(`| Quay | Island |\n| Island | Quay |\n|  | ![Map](${server.url}/map.png) |`);
});

test("text behind a click is kept and shown, text that is hidden for good goes", () => {
  const answers = [
    "Yes. Bicycles, prams and wheelchairs travel free of charge on every crossing, as long as there is room on the lower deck.",
    "The crossing takes about twelve minutes in calm weather. In strong wind the captain may choose the longer way around the island.",
    "You may bring a dog on a lead. Larger animals need a ticket of their own, which the office at the quay sells in the morning.",
  ];
  const faq = answers
    .map(
      (answer, index) =>
        `<div class="faq-item"><h3 class="faq-question">Question number ${index + 1} about the ferry?</h3><div class="faq-answer" style="display: none"><p>${answer}</p></div></div>`,
    )
    .join("");
  const { text, html } = keep(
    page(
      "Questions about the ferry",
      `<main><article><h1>Questions about the ferry</h1><p>${paragraphs[0]}</p><p>${paragraphs[2]}</p><div class="faq">${faq}</div></article></main>
<div class="modal" aria-hidden="true" style="display:none"><p>Your session has expired. Please log in again to continue.</p></div>`,
    ),
    "https://harbour.example/guides/ferry-questions",
  );
  expect(found(text, answers)).toEqual(answers);
  expect(html).not.toContain("display: none");
  expect(text).not.toContain("Your session has expired");
});

test("pictures between paragraphs that stay are kept at any depth, with or without a line of credit", () => {
  const deep = (inner: string, levels: number) => "<div>".repeat(levels) + inner + "</div>".repeat(levels);
  const { html } = keep(
    page(
      "Ferry terminal to reopen after eleven years",
      `<main><article><h1>Ferry terminal to reopen after eleven years</h1>
<div class="byline"><div><div><div><div><div><img src="/marta.jpg"></div></div></div></div></div></div>
<div class="share-bar">${deep('<a href="https://social.example/"><img src="/s.png"></a>', 5)}</div>
<div class="post-content"><p>${paragraphs[0]}</p>${deep('<figure><div><div><img src="/deep.jpg"></div></div></figure>', 4)}
<p>${paragraphs[1]}</p><div class="wp-caption"><img src="/credited.jpg"><p class="wp-caption-text">Ann / Getty</p></div>
<p>${paragraphs[2]}</p><figure>${deep('<img src="/figure.jpg">', 2)}<figcaption>Photo: Ann</figcaption></figure>
<div class="ad">${deep('<a href="/buy"><img src="/offer.jpg"></a>', 5)}</div>${deep('<img src="/dot.gif" width="1" height="1">', 5)}
<p>${paragraphs[3]}</p></div></article></main>`,
    ),
    "https://harbour.example/news/ferry-terminal-to-reopen",
  );
  expect(found(html, ["/deep.jpg", "/credited.jpg", "/figure.jpg"])).toEqual([
    "/deep.jpg",
    "/credited.jpg",
    "/figure.jpg",
  ]);
  expect(found(html, ["/marta.jpg", "/s.png", "/offer.jpg", "/dot.gif"])).toEqual([]);
});

test("questions and panels that are answered stay with their answers", () => {
  const answers = [
    "Orders leave our warehouse within two days and arrive in three to five business days at most addresses.",
    "You can return unused tickets within thirty days for a full refund of the purchase price, at any office.",
    "We carry bicycles on all crossings, and the fee for them is shown at checkout before you pay for anything.",
  ];
  const questions = ["How long does shipping take?", "Can I return an item?", "Do you carry bicycles?"];
  const panels = ["Timetable changes", "Lost property", "Large groups"];
  const faq = answers
    .map(
      (answer, index) =>
        `<div class="card"><div class="card-header"><a class="btn btn-link collapsed" data-toggle="collapse" href="#q${index}"><span>${questions[index]}</span> <i class="material-icons">chevron_right</i></a></div><div id="q${index}" class="collapse"><div class="description">${answer}</div></div></div>
<div><button class="btn menu-toggle" aria-expanded="false">${panels[index]}</button><div hidden><p>${paragraphs[index]}</p></div></div>`,
    )
    .join("");
  const { text } = keep(
    page(
      "Help",
      `<main><h1>Help</h1><p>${paragraphs[3]}</p><div class="accordion">${faq}</div>
<div class="menu"><button aria-expanded="false">More pages</button><ul><li><a href="/a">Harbours</a></li><li><a href="/b">Have you seen our boats?</a></li></ul></div></main>`,
    ),
    "https://harbour.example/help",
  );
  expect(found(text, answers)).toEqual(answers);
  expect(found(text, questions)).toEqual(questions);
  expect(found(text, panels)).toEqual(panels);
  expect(found(text, ["More pages", "Have you seen our boats?"])).toEqual([]);
});

test("a list of things to do says what is done, with or without labels; other boxes of a form go", async () => {
  const items = `<li class="task-list-item"><input type="checkbox" disabled checked> Drive the piles of the western pier</li>
    <li class="task-list-item"><p><label><input type="checkbox" disabled> Paint the waiting room</label></p></li>
    <li class="task-list-item"><label class="control"><input type="checkbox" disabled checked><span class="indicator"></span></label> Hang the lamps</li>`;
  const content = `<main><article><h1>Work on the pier</h1><p>${paragraphs[0]}</p><p>${paragraphs[1]}</p><ul class="task-list">${items}</ul>
    <p>${paragraphs[2]}</p><p><input type="checkbox"> ${paragraphs[3]}</p></article></main>`;
  const { url } = await site({ "/": page("Work on the pier", content) });
  const { data } = await engineFor({ browser: false }).scrape({ url, formats: ["markdown", "html"] });
  expect(data.markdown).toContain(
    "- [x] Drive the piles of the western pier\n- [ ] Paint the waiting room\n- [x] Hang the lamps\n",
  );
  expect(data.html?.match(/<input/g)).toHaveLength(3);
  expect(found(data.markdown ?? "", FRAME_TEXTS)).toEqual([]);
});

test("an empty element that is drawn as a box to tick stays in its list item, and only there", () => {
  const items = ["on", "off"].map(
    (state) => `<li><div class="checkbox checkbox-${state}"></div> <span>Paint the ${state}-shore pier</span></li>`,
  );
  const content = `<main><article><h1>Work on the pier</h1><p>${paragraphs[0]}</p><p>${paragraphs[1]}</p><ul>${items.join("")}</ul>
    <p>${paragraphs[2]}</p><div class="checkbox checkbox-on"></div><p>${paragraphs[3]}</p></article></main>`;
  const { html } = keep(page("Work on the pier", content), "https://harbour.example/pier");
  expect(html.match(/class="checkbox checkbox-(?:on|off)"/g)).toHaveLength(2);
});

test("a button or an advert in a low or narrow frame within a text goes, a player and a map stay", () => {
  const frames = {
    button: `<iframe src="https://widgets.example/like" scrolling="no" style="border:none; width:95px; height:21px"></iframe>`,
    strip: `<iframe src="https://adverts.example/middle" width="580" height="90px" frameborder="0"></iframe>`,
    map: `<iframe src="https://maps.example/quay" width="100%" height="350"></iframe>`,
    player: `<iframe src="https://sound.example/player" title="The ferry's horn" width="100%" height="80"></iframe>`,
  };
  const inside = paragraphs.map((one, index) => `<p>${one}</p>${Object.values(frames)[index]}`).join("");
  const content = `<main><article><h1>Ferry terminal to reopen</h1>${inside}<p>${paragraphs[0]}</p></article></main>`;
  const { html } = keep(page("Ferry terminal to reopen", content), "https://harbour.example/news/ferry");
  const hosts = ["widgets.example", "adverts.example", "maps.example", "sound.example"];
  expect(found(html, hosts)).toEqual(["maps.example", "sound.example"]);
});

test("an advert in a frame goes whatever its size, by its name or by where it comes from", () => {
  const size = `width="300" height="250"`;
  const frames = [
    `<iframe src="https://one.example/slot" title="3rd party ad content" ${size}></iframe>`,
    `<iframe src="https://two.example/slot" id="google_ads_iframe_7" ${size}></iframe>`,
    `<iframe src="https://ads.three.example/slot" title="Offer" ${size}></iframe>`,
    `<iframe src="https://four.example/pagead/slot" title="Offer" ${size}></iframe>`,
    `<iframe src="https://five.example/loads/ads-of-the-past" title="Loading a ferry" ${size}></iframe>`,
  ];
  const inside = frames.map((frame, index) => `<p>${paragraphs[index % paragraphs.length]}</p>${frame}`).join("");
  const content = `<main><article><h1>Ferry terminal to reopen</h1>${inside}<p>${paragraphs[0]}</p></article></main>`;
  const { html } = keep(page("Ferry terminal to reopen", content), "https://harbour.example/news/ferry");
  expect(html.match(/https:\/\/[\w./-]+/g)).toEqual(["https://five.example/loads/ads-of-the-past"]);
});

test("linked logos and adverts above a text go; a picture of it that leads to itself stays, as do the ways into a shop", () => {
  const logo = `<a href="https://harbour.example/"><img src="/name.png" alt="Harbour News"></a>`;
  const advert = `<a href="https://adverts.example/click?id=7"><img src="/offer.png" alt=""></a>`;
  const lead = `<a href="/pier-large.jpg?w=2000"><img src="/pier.jpg" alt="The western pier"></a>`;
  const text = `<h1>Ferry terminal to reopen</h1>${paragraphs.map((one) => `<p>${one}</p>`).join("")}<p>${paragraphs[0]}</p>`;
  const kept = (pictures: string): string[] => {
    const html = `<html><head><title>Ferry terminal to reopen</title></head><body><div id="page">${pictures}<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>${text}</div></body></html>`;
    return [...keep(html, "https://harbour.example/news/ferry").html.matchAll(/src="\/(.*?)"/g)].map(
      ([, name]) => name!,
    );
  };
  expect(kept(logo + advert + lead)).toEqual(["pier.jpg"]);
  expect(kept(logo + logo + logo)).toHaveLength(3);
});

test("the picture between a title and the lines about its author stays", () => {
  const figure = '<figure><img src="/lead.jpg" width="900" height="600"><figcaption>A pier</figcaption></figure>';
  const by = '<span class="byline">by <a class="author" href="/m">Marta Oller</a></span>';
  const byline = `<div class="entry-meta"><p><time class="date">May 3, 2026</time></p><p>${by}</p></div>`;
  const text = Array.from({ length: 4 }, () => paragraphs.map((text) => `<p>${text}</p>`).join("")).join("");
  const menu = `<nav><ul>${'<li><a href="/n"><span>News</span></a></li>'.repeat(120)}</ul></nav>`;
  const { html } = keep(
    page(
      "The pier reopens",
      `${menu}<article><header><h1>The pier reopens</h1>${figure}${byline}</header>${text}</article>`,
    ),
    "https://harbour.example/news/pier",
  );
  expect(html).toContain("/lead.jpg");
});

test("a page that declares itself a product is one, whatever else is on it", () => {
  const cards = Array.from(
    { length: 12 },
    (_, at) =>
      `<li class="product"><a href="/p/${at}"><h3>Oak board ${at}</h3></a><span class="price">$43.00</span></li>`,
  );
  const shop = `<main><ul class="products">${cards.join("")}</ul></main>`;
  const typeOf = (head: string) => keep(page("Boards", shop, head), "https://shop.example/boards").pageType;
  expect(typeOf("")).not.toBe("product");
  expect(typeOf('<meta property="og:type" content="product">')).toBe("product");
  expect(typeOf('<meta property="og:type" content="product.group">')).not.toBe("product");
});

test("text below a label that a script opens is kept, also without roles", () => {
  const sections = ["Indications", "Dosage", "Warnings", "Interactions", "Storage"];
  const said = (section: string): string =>
    `${section} are described here for adults and for children over twelve, as they were approved by the agency in the spring of the year in which the medicine was first sold.`;
  const panels = sections.map(
    (section, index) =>
      `<li><a href="${index % 2 ? "#" : "javascript:void(0)"}" class="toggle">${section}</a><div${index > 2 ? ' style="display:none"' : ""}><p>${said(section)}</p></div></li>`,
  );
  const read = (parts: readonly string[]) =>
    keep(
      page(
        "Halocin tablets",
        `<main><article><h1>Halocin tablets</h1><p>${said("Tablets")}</p><ul class="sections">${parts.join("")}</ul></article></main>`,
      ),
      "https://labels.example/2026/03/halocin",
    ).text;
  expect(found(read(panels), sections.map(said))).toEqual(sections.map(said));
  const bar = `<li><ul><li><a href="#">Email</a></li><li><a href="javascript:window.print()">Print</a></li></ul><div hidden><p>${said("Nothing")}</p></div></li>`;
  expect(read([...panels, bar])).not.toContain("Nothing");
  const targets = panels.map((panel) => panel.replace(/href="[^"]*"/, 'name="here"'));
  expect(found(read(targets), sections.slice(3).map(said))).toEqual([]);
});
