/** Dialogs that the items of a page's list open tell what the page is about; others sell, ask or warn. */
import { expect, test } from "vitest";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped } from "./scraped.ts";

const projects = [
  { name: "Mill Bridge", kind: "Timber", client: "Town of Ely", said: "two spans of larch carry walkers over the arm" },
  {
    name: "Quay Wall",
    kind: "Masonry",
    client: "Harbour Trust",
    said: "ninety metres of granite were set anew by hand",
  },
  { name: "Lock House", kind: "Brick", client: "River Board", said: "the keeper's rooms became a reading room" },
  { name: "Crane Shed", kind: "Steel", client: "Coal Museum", said: "a roof for the crane of 1928 and its boiler" },
];

const dialog = (id: string, inner: string): string =>
  `<div class="portfolio-modal modal fade" id="${id}" tabindex="-1" role="dialog" aria-hidden="true"><div class="modal-dialog"><div class="modal-content"><div class="close-modal" data-bs-dismiss="modal"><img src="close.svg" alt="Close modal"></div><div class="modal-body">${inner}</div></div></div></div>`;

test("what a portfolio tells of each project when it is clicked is kept, but no dialog to log in or to search", async () => {
  const items = projects.map(
    ({ name, kind }, index) =>
      `<div class="col-lg-4 col-sm-6 mb-4"><div class="portfolio-item"><a class="portfolio-link" data-bs-toggle="modal" href="#portfolioModal${index}"><div class="portfolio-hover"><i class="fas fa-plus"></i></div><img class="img-fluid" src="${index}.jpg" alt="..."></a><div class="portfolio-caption"><div class="portfolio-caption-heading">${name}</div><div class="portfolio-caption-subheading text-muted">${kind}</div></div></div></div>`,
  );
  const dialogs = projects.map(({ name, client, said }, index) =>
    dialog(
      `portfolioModal${index}`,
      `<h2 class="text-uppercase">${name}</h2><p class="item-intro text-muted">Built for those who use it.</p><p>In this project ${said}, and the water was kept out for eleven weeks while the work went on below it.</p><ul class="list-inline"><li><strong>Client:</strong> ${client}</li></ul><button class="btn" data-bs-dismiss="modal" type="button">Close Project</button>`,
    ),
  );
  const others = ["login", "search", "booking"].map((id) =>
    dialog(
      id,
      `<h2>Your ${id}</h2><p>Tell us who you are for your ${id}.</p><form><input name="q"><button>Send</button></form>`,
    ),
  );
  const markdown =
    await scraped(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fenland Structures</title></head><body id="page-top"><nav class="navbar"><ul>${["login", "search", "booking"].map((id) => `<li><a data-bs-toggle="modal" href="#${id}">${id}</a></li>`).join("")}</ul></nav>
<section id="services"><h2 class="section-heading">Services</h2><h3 class="section-subheading">What we build, we also keep in repair.</h3><h4>Bridges</h4><p>We design small bridges of wood and of stone, and look after them for as long as they stand.</p><h4>Water works</h4><p>Locks, weirs and quay walls are surveyed, drawn and mended by the same eleven people.</p></section>
<section class="page-section bg-light" id="portfolio"><h2 class="section-heading">Portfolio</h2><h3 class="section-subheading">Four of our works.</h3><div class="row">${items.join("")}</div></section>
<footer class="footer"><div>Copyright © Fenland Structures</div></footer>${dialogs.join("")}${others.join("")}</body></html>`);
  for (const { client, said } of projects) {
    expect(markdown).toContain(said);
    expect(markdown).toContain(client);
  }
  for (const other of ["Your login", "Tell us who", "Close Project"]) expect(markdown).not.toContain(other);
});

test("dialogs of shops, of forms, of captions, and those that no list opens stay as they are judged", () => {
  const page = (
    inner: string,
    opener = (index: number) => `<div class="card"><a href="#d${index}">More</a></div>`,
  ): string => {
    const boxes = [0, 1, 2].map((index) => `<div class="modal" id="d${index}" data-sum="-3">${inner}</div>`);
    const text = paragraph("the bridge") + paragraph("the weir");
    return `<main><h1>Works</h1>${text}<div>${[0, 1, 2].map(opener).join("")}</div></main>${boxes.join("")}`;
  };
  const lines = "<h2>Mill Bridge</h2><p>Two spans of larch.</p>";
  expect(keptOf("service", page(lines))).toContain("Two spans of larch.");
  expect(keptOf("collection", page(lines))).not.toContain("Two spans of larch.");
  expect(keptOf("service", page(`${lines}<input name="mail">`))).not.toContain("Two spans of larch.");
  expect(keptOf("service", page("<p>Two spans of larch.</p>"))).not.toContain("Two spans of larch.");
  const aside = (index: number): string => `<footer><a href="#d${index}">More</a></footer>`;
  expect(keptOf("service", page(lines, aside))).not.toContain("Two spans of larch.");
});
