// Signs, badges and short words beside a text: what of them is written, and how.
import { describe, expect, it } from "vitest";
import { scraped, scrapedWhole } from "./scraped.ts";

describe("a gap", () => {
  it("separates a badge, or an emoji of its own, from the text after it", async () => {
    const html =
      '<ul><li><span class="badge">iOS</span>Alarms ring again</li></ul><p><span class="icon">🚧</span>Closed</p>';
    expect(await scrapedWhole(html)).toBe("- iOS Alarms ring again\n\n🚧 Closed");
    expect(await scrapedWhole('<p><span class="tag">W</span>inter <b>Win</b>ter</p>')).toBe("Winter **Win**ter");
  });

  it("is before a number in the digits of any script", async () => {
    const html = '<p><span class="author">رنا</span><span class="date">١ مارس ٢٠٢٦</span></p>';
    expect(await scrapedWhole(html)).toBe("رنا ١ مارس ٢٠٢٦");
  });

  it("is after a price that ends with its currency", async () => {
    const beside = (one: string, other: string): string => `<p><span>${one}</span><span>${other}</span></p>`;
    expect(await scrapedWhole(beside("99,00 €", "Économisez 21 €"))).toBe("99,00 € Économisez 21 €");
    expect(await scrapedWhole(beside("120 €", "99 €"))).toBe("120 € 99 €");
    expect(await scrapedWhole(beside("$", "120"))).toBe("$120");
  });

  it("is between a figure and what it is of, unless that ends the number", async () => {
    const figure = (number: string, what: string): string => `<p><strong>${number}</strong><span>${what}</span></p>`;
    expect(await scrapedWhole(figure("31%", "less loss"))).toBe("**31%** less loss");
    expect(await scrapedWhole(figure("$1,200", "saved"))).toBe("**$1,200** saved");
    for (const end of ["rd", "x faster", "px"]) expect(await scrapedWhole(figure("3", end))).toBe(`**3**${end}`);
  });
});

it("a unit that is shown short and read out in full is written once", async () => {
  const unit = (spoken: string, shown: string): string =>
    `<p><span>40<span class="sr-only"> ${spoken}</span></span> <span aria-hidden="true">${shown}</span></p>`;
  expect(await scrapedWhole(unit("minutes", "mins") + unit("hours", "hr"))).toBe("40 mins\n\n40 hr");
  expect(await scrapedWhole(unit("minutes", "max"))).toBe("40 minutes max");
});

it("links to the source of a definition are left out where a class names them, with or without brackets", async () => {
  const html = `<section><a class="src rightside" href="/src/pool.rs.html#24">Source</a><h2>fn get()</h2></section>
    <p>Read the <a href="/s">source</a>.</p>`;
  expect(await scrapedWhole(html)).toMatch(/^## fn get\(\)\n\nRead the \[source\]\(\/s\)\.$/);
});

it("the name above a quotation has a line of its own", async () => {
  const html = `<blockquote><div><cite>stam wrote: <span>10:00 am</span></cite>The lamp is out.</div></blockquote>
    <p><cite>Moss I.</cite> Rest at sea.</p><blockquote>So <cite>he</cite> said.</blockquote>`;
  expect(await scrapedWhole(html)).toBe(
    "> stam wrote: 10:00 am\n>\n> The lamp is out.\n\nMoss I. Rest at sea.\n\n> So he said.",
  );
});

it("links that select the code below them are left out, with the words beside them kept", async () => {
  const html = '<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>x = 1</code></pre></div>';
  expect(await scrapedWhole(html)).toBe("Code:\n\n```\nx = 1\n```");
});

it("an emoji as a picture is that emoji", async () => {
  const html = `<p>Lit again <img class="emoji" alt="🎉" src="/1f389.png">and <img alt="👩‍🚒" src="data:image/gif;base64,R0">.
    <img alt="🎉 The opening" src="/opening.jpg"></p>`;
  expect(await scrapedWhole(html)).toBe("Lit again 🎉and 👩‍🚒. ![🎉 The opening](/opening.jpg)");
});

it("boxes that are checked by their role are those of tasks, also where only main content is kept", async () => {
  const box = (isChecked: boolean): string =>
    `<button type="button" role="checkbox" aria-checked="${isChecked}"><svg></svg></button>`;
  const html = `<main><h1>Before the night</h1><p>Everything below has to be done before the sun goes down.</p>
    <ul><li>${box(true)}<p>Trim the wick</p></li><li><span role="checkbox" aria-checked="false"></span><p>Fill the lamp</p></li></ul></main>`;
  expect(await scraped(html)).toContain("- [x] Trim the wick\n- [ ] Fill the lamp");
});

it("what separated the buttons of a heading goes with them", async () => {
  expect(await scrapedWhole("<h3>Ingredients <span><button>Metric</button> - <button>US</button></span></h3>")).toBe(
    "### Ingredients",
  );
  expect(await scrapedWhole("<h3>From A to -</h3>")).toBe("### From A to -");
});
