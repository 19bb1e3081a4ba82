/** Headings stay with what they head: that of the last section of an article, and the title of a page. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";
import { engineFor, site } from "./start-engine.ts";

const paragraphs = [
  "Tarn Point is a lighthouse on the northern shore of the sound, built in 1822 from the granite of the island opposite, and the first of the coast to burn gas.",
  "Its lamp was lit by a keeper and his two assistants until the station became automatic, and the houses in which they lived have been let to visitors since then.",
  "A storm took the first tower after nine winters. The second was set on the rock itself, twenty metres above the water, where it stands to this day without much repair.",
  "The light is seen for eleven miles. In fog a horn sounds twice a minute, as the boats of the northern villages asked the council for in a letter that is kept in the museum.",
];

const headline = (name: string, section: number) =>
  `<span class="mw-headline" id="${name}">${name}</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w?title=Tarn&amp;veaction=edit&amp;section=${section}" class="mw-editsection-visualeditor" title="Edit section: ${name}">edit</a><span class="mw-editsection-divider"> | </span><a href="/w?title=Tarn&amp;action=edit&amp;section=${section}" title="Edit section: ${name}">edit source</a><span class="mw-editsection-bracket">]</span></span>`;
const contents = ["History", "Gallery", "Notes", "External links"]
  .map(
    (name, index) =>
      `<li class="toclevel-1"><a href="#${name}"><span class="tocnumber">${index + 1}</span> <span class="toctext">${name}</span></a></li>`,
  )
  .join("");

const wiki = `<!doctype html><html lang="en"><head><title>Tarn Point - Sound Wiki</title></head><body>
<h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Tarn Point</span></h1>
<div id="bodyContent" class="vector-body"><div id="siteSub" class="noprint">From Sound Wiki</div><div id="contentSub"></div>
<div class="mw-parser-output">${contents}<p>${paragraphs[0]} ${paragraphs[1]}<sup class="reference"><a href="#cite_note-1">[1]</a></sup></p>
<h3>${headline("History", 1)}</h3><p>${paragraphs[2]} ${paragraphs[3]}</p>
<div class="mw-references-wrap"><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">↑</a></span> <span class="reference-text">The lamp was described in the minutes of the council of that year.</span></li></ol></div>
<h2>${headline("External links", 2)}</h2>
<ul><li><a rel="nofollow" class="external text" href="http://example.org/2">The keeper's diary</a></li></ul></div>
<div class="printfooter">Retrieved from "<a dir="ltr" href="/w?title=Tarn&amp;oldid=4">http://sound.example/w?title=Tarn&amp;oldid=4</a>"</div></div></body></html>`;

test("the last section of an article keeps its heading, whatever the site's footer says after it", async () => {
  const { url } = await site({ "/w/Tarn_Point": wiki });
  const { data } = await engineFor().scrape({ url: `${url}/w/Tarn_Point` });
  expect(data.markdown).toContain("## External links\n\n- [The keeper's diary](http://example.org/2)");
  expect(data.markdown).not.toContain("Retrieved from");
});

const journal = (
  title: string,
  name: string,
  heading: string,
) => `<!doctype html><html lang="en"><head><title>${title}</title></head><body>
<header id="banner" class="body">${name}</header><nav id="menu"><ul><li><a href="/history">History</a></li><li><a href="/travel">Travel</a></li></ul></nav>
<section id="content" class="body"><header>${heading}</header>
<footer class="post-info"><time datetime="2021-09-10">Fri 10 September 2021</time> <address>By <a href="/ines">Ines Keeper</a></address></footer>
<div class="entry-content">${paragraphs.map((text) => `<p>${text}</p>`).join("")}</div></section>
<footer id="contentinfo" class="body"><p>Proudly powered by a press of our own.</p></footer></body></html>`;

test("where the only first heading is the name of the site, the title of the page is the one below", async () => {
  const letter = '<h2 class="entry-title"><a href="/letter">Letter from Tarn Point</a></h2>';
  const { url } = await site({
    "/before": journal("Sound letters - Letter from Tarn Point", '<h1><a href="/">Sound letters</a></h1>', letter),
    "/after": journal("Letter from Tarn Point | Sound letters", '<h1><a href="/">Sound letters</a></h1>', letter),
    "/motto": journal(
      "Sound letters - News of the shore",
      '<h1><a href="/">Sound letters</a></h1><h2>News of the shore</h2>',
      "",
    ),
  });
  const engine = engineFor();
  const read = async (path: string) => (await engine.scrape({ url: url + path })).data.markdown;
  for (const path of ["/before", "/after"]) {
    const markdown = await read(path);
    expect(markdown).toContain(`## [Letter from Tarn Point](${url}/letter)\n\n`);
    expect(markdown).not.toContain("Sound letters");
  }
  expect(await read("/motto")).not.toMatch(/^## News of the shore/);
});

test("a title that is no heading, right behind the name of the site, stays where both are the title in the head", async () => {
  const doc = (
    shown: string,
  ): string => `<!DOCTYPE html><html><head><title>Lamp Project: Lamp Manual</title></head><body class="doc">
<div class="header"><div class="title"><h1>Lamp Project</h1>${shown}</div><div class="status"><a href="/login">Login</a></div></div>
<div class="mainmenu"><a href="/home">Home</a> <a href="/timeline">Timeline</a> <a href="/dir?ci=tip">Files</a> <a href="/forum">Forum</a> <a href="/ticket">Tickets</a></div>
<div class="content"><div class="markdown"><p>The lamp is driven by a small program that runs on the controller in the north tower.</p>
<h2>Building</h2><pre><code>cc -O2 -o lamp src/lamp.c
</code></pre><h2>Care</h2><ol><li>Open the hatch.</li><li>Switch the main breaker off.</li><li>Replace the bulb.</li></ol>
<p>${"Never touch the glass with bare hands, and wait until the bulb is cold. ".repeat(12)}</p></div></div>
<div class="footer">This page was generated in about 0.021s</div></body></html>`;
  expect(await scraped(doc("Lamp Manual"))).toMatch(/^# Lamp Project\n\nLamp Manual\n\nThe lamp is driven/);
  expect(await scraped(doc("Pages of the keepers"))).not.toContain("keepers");
});
