/** What a form says to those who fill it in, below the text that the page is for, as a scrape gives it. */
import { expect, test } from "vitest";
import { scraped } from "./scraped.ts";

const tasks = ["deploys", "measures", "repairs", "documents", "rehearses", "explains"];
const description = tasks
  .map(
    (task) =>
      `<p>You will work with the team that ${task} the routing service, which plans millions of parcels a day.</p>`,
  )
  .join("");

const field = (name: string): string =>
  `<div class="field"><label for="${name}">${name}*</label><input id="${name}" type="text"></div>`;

const survey = `<div class="survey"><h3>Voluntary self-identification</h3>
<p>For government reporting purposes, we ask candidates to respond to the survey below. Completion of the form is entirely voluntary.</p>
<p>As set forth in our policy, we do not discriminate on the basis of any protected group status under any applicable law.</p>
<ul><li>Autoimmune disorder, for example, lupus, fibromyalgia, rheumatoid arthritis</li><li>Blind or low vision</li></ul></div>`;

const job = (form: string, text = description): string =>
  `<!doctype html><html lang="en"><head><title>Reliability Engineer at Acme</title></head><body><main class="main job-post">
<div class="job__header"><h1>Reliability Engineer</h1><div class="job__location">Lisbon or remote</div></div>
<div class="job__description body">${text}<p><strong>What we offer</strong></p><ul><li>A salary of €68,000 to €82,000 and 30 days of leave</li></ul></div>
<div class="application"><h2>Apply for this job</h2>${form}</div></main></body></html>`;

test("an application below the description of a job goes with its heading", async () => {
  const form = `<form><div>${["First name", "Last name", "Email"].map(field).join("")}</div>${survey}<button type="submit">Submit application</button></form>`;
  const markdown = await scraped(job(form));
  expect(markdown).toContain("rehearses the routing service");
  expect(markdown).toContain("30 days of leave");
  for (const text of ["Apply for this job", "Voluntary", "entirely voluntary", "any applicable law", "low vision"]) {
    expect(markdown, text).not.toContain(text);
  }
});

test("what is in a form stays if that is most of the page, or nothing is written in it", async () => {
  const whole = `<form>${field("Search")}${field("Name")}${field("Password")}${description}</form>`;
  expect(await scraped(job(whole, "<p>A short introduction.</p>"))).toContain("rehearses the routing service");
  const choice = `<form>${survey}<input type="checkbox"><button type="submit">Go on</button></form>`;
  expect(await scraped(job(choice))).toContain("entirely voluntary");
});

test("a text goes on within a form that was never closed, and one around the fields of another", async () => {
  const more = tasks.map(
    (task) => `<p>Those who join learn how it ${task} its parcels, as each of us has to know it.</p>`,
  );
  const newsletter = '<form><input type="email"><button type="submit">Subscribe</button>';
  const comment = `<form>${["Name", "Email", "Website"].map(field).join("")}<button type="submit">Send</button></form>`;
  expect(await scraped(job(comment, `${description}${newsletter}${more.join("")}`))).toContain(
    "it rehearses its parcels",
  );
  const tried = `<form><h2>Create a parcel</h2><table>${["Name", "Weight", "Width"].map((name) => `<tr><td>The ${name} that the parcel has</td><td>${field(name)}</td></tr>`).join("")}</table></form>`;
  expect(await scraped(job("", description + tried))).toContain("Weight that the parcel has");
});
