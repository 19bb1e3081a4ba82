/** How to reach someone, which stands in texts as short as those of any page's foot. */
import { expect, test } from "vitest";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped } from "./scraped.ts";

const rows = (texts: readonly string[]): string =>
  texts.map((text) => `<div class="row" data-sum="-3"><i class="icon"></i><span>${text}</span></div>`).join("");
const ways = ["12 Mill Lane, Cambridge CB1 2AB", "(01223) 555-4321", "marta@lindqvist.example", "Mon–Fri, 9:00–17:00"];
const text = paragraph("the bridge") + paragraph("the lock") + paragraph("the weir");

test("an address, a number and what stands with them are kept together below their heading", () => {
  const page = (part: string): string[] => keptOf("listing", `<main><h1>Marta Lindqvist</h1>${part}${text}</main>`);
  expect(page(`<section><h2>Contact</h2><div>${rows(ways)}</div></section>`)).toEqual(expect.arrayContaining(ways));
  // One of them was kept.
  const partly = rows(ways).replace('data-sum="-3"', "");
  expect(page(`<aside><p data-sum="-3">About me</p><div>${partly}</div></aside>`)).toEqual(
    expect.arrayContaining(ways),
  );
});

test("so are a street and a number below the hours, where no address to write to is given", () => {
  const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const hours = days.map((day) => `<li>${day} <span>${day === "Sunday" ? "Closed" : "7:00 AM to 8:00 PM"}</span></li>`);
  const page = (place: string): string[] =>
    keptOf(
      "service",
      `<main><section><div><h2>Come on in, we are open</h2><ul>${hours.join("")}</ul>${place}<p data-sum="-2"><small>Call us</small><br>(317) 555-8468</p></div></section>${text}</main>`,
    );
  const street = "1116 Orchard Street, Golden Valley";
  for (const place of [`<p class="address" data-sum="-2">${street}</p>`, `<address data-sum="-2">${street}</address>`])
    expect(page(place)).toEqual(expect.arrayContaining([street, "Call us(317) 555-8468"]));
  expect(page(`<p data-sum="-2">${street}</p>`)).not.toContain(street);
});

test("but not at the foot of the page, nor far below what is kept, nor where only dates stand beside an address", () => {
  const page = (part: string): string[] => keptOf("service", `<main><h1>The Mill</h1>${text}</main>${part}`);
  expect(page(`<footer>${rows(ways)}</footer>`)).not.toContain(ways[2]);
  const menu = rows(["News", "Guides", "Shop", "About us"]);
  expect(page(`<div>${menu}<div>${rows(ways)}</div></div>`)).not.toContain(ways[2]);
  const dates = ["editor@mill.example", "12.03.2024 18:30", "2019–2024", "1.250.000,00 kr"];
  expect(page(`<div><h2>Editor</h2>${rows(dates)}</div>`)).not.toContain(dates[0]);
});

test("a curriculum vitae says how to reach who wrote it", async () => {
  const item = (title: string, value: string): string =>
    `<div class="contact-item"><div class="icon pull-left text-center"><span class="fas ${title}"></span></div><div class="title only pull-right">${value}</div></div>`;
  const post = (firm: string, said: string): string =>
    `<div class="job clearfix"><div class="row"><div class="details"><div class="where">${firm}</div><div class="year">2009 – 2016</div></div><div class="job-details"><div class="profession">Engineer</div><div class="description"><p>${said}</p><ul><li>Assessed 142 arches of brick and stone</li><li>Trained eleven engineers in surveying</li></ul></div></div></div></div>`;
  const markdown =
    await scraped(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Resume of Marta Lindqvist</title></head><body><header><div class="jumbotron"><h1>Marta Lindqvist</h1><div class="lead">Structural engineer</div></div></header><div class="container"><div class="row"><div class="col-sm-7"><div class="box"><h2>Profile</h2><p>Structural engineer with fifteen years of bridges, most of them old, three of them new.</p></div><div class="box"><h2>Work experiences</h2>${post("Northern Bridges", "Led the assessment of masonry arches in the north, and of what holds them up.")}${post("Cam Works", "Worked on the replacement of footbridges over the river and its side arms.")}</div></div>
<div class="col-sm-5"><div class="box clearfix"><h2><i class="fas fa-bullseye ico"></i> Contact</h2><div class="contact-item"><div class="title pull-right">12 Mill Lane</div><div class="title pull-right">Cambridge CB1 2AB</div></div>${item("fa-phone", "(01223) 555-4321")}${item("fa-envelope", '<a href="mailto:marta@lindqvist.example">marta@lindqvist.example</a>')}${item("fa-globe", '<a href="https://lindqvist.example">https://lindqvist.example</a>')}</div></div></div></div></body></html>`);
  for (const way of ["12 Mill Lane", "(01223) 555-4321", "marta@lindqvist.example", "https://lindqvist.example"])
    expect(markdown).toContain(way);
});

test("a part is no footer because there is a line at its bottom, nor a sidebar because of its colour", () => {
  const page = (name: string): string[] =>
    keptOf(
      "service",
      `<main><section><h1>We are here to help</h1></section><section class="${name}" data-sum="-5"><div><h6>Call anytime</h6><a href="#">(555) 123-4567</a></div><div><h6>Email us</h6><a href="#">support@mill.example</a></div></section>${text}</main>`,
    );
  const contacts = ["Call anytime", "(555) 123-4567", "Email us", "support@mill.example"];
  for (const name of ["py-7 border-bottom", "margin--bottom-4", "text-secondary", "bgSide"])
    expect(page(name)).toEqual(expect.arrayContaining(contacts));
  for (const name of ["page-bottom", "border bottom", "secondary"]) expect(page(name)).not.toContain("Email us");
});
