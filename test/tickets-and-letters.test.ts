/** The page of a ticket and that of a letter say who wrote it, when, and what its fields are, as a scrape gives them. */
import { expect, test } from "vitest";
import { keptOf, paragraph } from "./main-content-given.ts";
import { scraped } from "./scraped.ts";

const fields = [
  ["Status", "Resolved"],
  ["Priority", "Low"],
  ["Assignee", '<a href="/users/6">Kofi Mensah</a>'],
  ["Category", "Parser"],
  ["Start date", ""],
  ["Target version", '<a href="/versions/1">2.5</a>'],
  ["% Done", '<div class="bar"></div><p class="percent">90%</p>'],
  ["Estimated time", "3:00 h"],
] as const;
const factList = fields.map(
  ([label, value]) =>
    `<div class="${label.toLowerCase()} attribute"><div class="label">${label}:</div><div class="value">${value}</div></div>`,
);

const note = (writer: string, text: string, number: number): string =>
  `<div id="change-${number}" class="journal has-notes"><div id="note-${number}" class="note"><div class="contextual"><a href="#note-${number}" class="journal-link">#${number}</a></div>
<h4 class="note-header">Updated by <a class="user active" href="/users/${number}">${writer}</a> <a title="11/30/2026" href="/activity">4 minutes</a> ago</h4>
<ul class="details"><li><strong>Status</strong> changed from <i>New</i> to <i>In Progress</i></li></ul><div class="wiki"><p>${text}</p></div></div></div>`;
const notes = [
  note("Kofi", "I can confirm it. The sign of the longitude is dropped when the degrees are zero.", 1),
  note("Greta", "Please try this patch, and tell me whether the table agrees with your gauge.", 2),
  note("Anna", "It works, thank you. I compared thirty days, and no line is more than two minutes off.", 3),
];

const menu = ["Overview", "Activity", "Roadmap", "Issues", "News", "Documents", "Wiki", "Forums", "Repository"]
  .map((name) => `<li><a href="/projects/tides/${name}" class="${name}">${name}</a></li>`)
  .join("");
const ticket = (count: number): string =>
  `<!doctype html><html lang="en"><head><title>Bug #1: Third column wrong - Tide tables - Tracker</title></head><body class="controller-issues action-show"><div id="wrapper">
<div id="top-menu"><ul><li><a href="/">Home</a></li><li><a href="/projects">Projects</a></li><li><a href="/login">Sign in</a></li></ul></div>
<div id="header"><h1>Tide tables</h1><div id="main-menu"><ul>${menu}</ul></div></div><div id="main"><div id="sidebar"><h3>Custom queries</h3><ul><li><a href="/q/1">Reported issues</a></li></ul></div>
<div id="content"><h2>Bug #1</h2><span class="badge">open</span><div class="issue details"><div class="subject"><div><h3>Third column wrong east of the meridian</h3></div></div>
<p class="author">Added by <a class="user active" href="/users/5">Anna Lindqvist</a> <a title="11/30/2026" href="/activity">4 minutes</a> ago.</p>
<div class="attributes"><div class="splitcontent"><div class="splitcontentleft">${factList.slice(0, 4).join("")}</div><div class="splitcontentleft">${factList.slice(4).join("")}</div></div></div>
<hr><div class="description"><p><strong>Description</strong></p><div class="wiki"><p>The third column of the table is wrong whenever the harbour lies east of the meridian.</p><p>The gauge is right, the table is not.</p></div></div></div>
<div id="history">${notes.slice(0, count).join("")}</div></div></div><div id="footer">Powered by a tracker</div></div></body></html>`;

test.each([0, 1, 3])("a ticket with %i comments has all its fields, each with its value", async (count) => {
  const markdown = (await scraped(ticket(count), {}, "/issues/1"))
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/\n+/g, " ")
    .replace("Start date: ", "");
  expect(markdown).toContain("Status: Resolved Priority: Low Assignee: [Kofi Mensah] Category: Parser");
  expect(markdown).toContain("Target version: [2.5] % Done: 90% Estimated time: 3:00 h");
  expect(markdown).not.toContain("Sign in");
});

test("the facts of a ticket stay together, though those who may change it fill them in below under the same labels", () => {
  const facts = ["Status: resolved", "Worked: 30 minutes", "Priority: Medium", "Queue: General"].map((fact) =>
    fact.split(": "),
  );
  const row = (label: string, value: string): string =>
    `<div class="form-row"><div class="label" data-sum="-2">${label}:</div><div class="value">${value}</div></div>`;
  const shown = facts.map(([label, value]) => row(label!, `<span>${value}</span>`)).join("");
  const filledIn = facts.map(([label]) => row(label!, '<input name="field"> <i>(Not set)</i>')).join("");
  const ticket = `<h1>The lamp flickers</h1>${shown}<form data-sum="-6">${filledIn}</form>${paragraph("the relay")}`;
  const kept = keptOf("listing", ticket);
  expect(kept.slice(1, -1).join(" ")).toBe("Status: resolved Worked: 30 minutes Priority: Medium Queue: General");
});

test("what a thread says of each writer beside each post is no list of facts", () => {
  const profile = ["Joined: May 2004", "Posts: 1,204", "Location: Lund", "Boat: Sirius"]
    .map((fact) => `<div><div>${fact.replace(": ", ":</div><div>")}</div></div>`)
    .join("");
  const post = `<div class="post"><b>Sailor</b><div data-sum="-3">${profile}</div>${paragraph("the third column")}</div>`;
  const kept = keptOf("forum", `<h1>The third column</h1>${post.repeat(3)}`).join(" ");
  expect(kept).toContain("the third column");
  expect(kept).not.toContain("1,204");
});

const by = (sort: string): string => `<a href="${sort}.html#7">[ ${sort} ]</a>`;
const around = `<LI>Previous message (by thread): <A HREF="000006.html">Yearly meeting in May
</A></li><LI>Next message (by thread): <A HREF="000008.html">Yearly meeting in May
</A></li><LI> <B>Messages sorted by:</B> ${["date", "thread", "subject", "author"].map(by).join(" ")}</LI>`;
const letter = (text: string): string => `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML><HEAD><TITLE> Re: Yearly meeting in May
   </TITLE><LINK REL="Index" HREF="index.html"></HEAD>
<BODY BGCOLOR="#ffffff"><H1>Re: Yearly meeting in May</H1>
    <B>Greta Holm</B>
    <A HREF="mailto:tides%40lists.example?Subject=Re%3A%20Yearly" TITLE="Yearly">greta at lund.example
       </A><BR>
    <I>Mon Mar  4 09:15:32 UTC 2024</I>
    <P><UL>${around}</UL>
    <HR>
<!--beginarticle-->
<PRE>${text}
</PRE>
<!--endarticle-->
    <HR><P><UL>${around}</UL><hr>
<a href="/listinfo/tides">More information about the tides mailing list</a><br></body></html>`;

const quoted = [
  "On Sat, 02 Mar 2024 08:46:54, Kofi Mensah wrote:",
  "&gt;<i> It works, thank you. I compared thirty days, and no line is more than two",
  "</i>&gt;<i> minutes off now.",
  "</i>",
].join("\n");

test.each([
  "+1 from me as well.\n\nGreta",
  `${quoted}\nI shall be there, and bring\nenough rye bread for all.\n\nGreta`,
  `${`&gt; Where shall we meet this year?\nI think that we should meet in the south tower, because the north tower has no lamp.\n\n`.repeat(10)}Greta\n`,
])("a letter in the archive of a list has its writer and its time: %#", async (text) => {
  const markdown = await scraped(letter(text), {}, "/pipermail/tides/2024-March/000007.html");
  expect(markdown).toMatch(/^# Re: Yearly meeting in May\n\n\*\*Greta Holm\*\* \[greta at lund\.example\]/);
  expect(markdown).toContain("Mon Mar 4 09:15:32 UTC 2024");
  expect(markdown).toContain("Greta\n");
});

const turn = (label: string, number: number): string =>
  `<li>${label}:\n<strong><a href="msg0000${number}.html">Meeting on Friday ${number}</a></strong>\n</li>`;
const menuOfLetter = `[<a href="msg00004.html">Date Prev</a>][Date Next][<a href="msg00004.html">Thread Prev</a>][Thread Next][<a href="maillist.html#00005">Date Index</a>][<a href="threads.html#00005">Thread Index</a>]`;
const letterWith = (
  turns: string,
  text: string,
): string => `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html><head><title>Meeting on Friday</title></head><body>
${menuOfLetter}
<h1>Meeting on Friday</h1><hr>
<ul><li><em>Subject</em>: Meeting on Friday</li><li><em>From</em>: Greta Holm &lt;<a href="mailto:greta%40lund.example">greta@lund.example</a>&gt;</li><li><em>Date</em>: Mon, 06 Mar 2023 13:12:00 +0000</li></ul>
<hr><p>Dear all,</p><p>the meeting is on Friday at ten in the <a href="https://tides.example/south">south tower</a>. Bring your lamps.</p>${text}<hr>
<ul>${turns}<li>Index(es):<ul><li><a href="maillist.html#00005"><strong>Date</strong></a></li><li><a href="threads.html#00005"><strong>Thread</strong></a></li></ul></li></ul></body></html>`;

test("a letter loses the list of letters before and after it, and a menu above its title in which not all is linked", async () => {
  const turns = ["Prev by Date", "Next by Date", "Previous by thread", "Next by thread"].map(turn).join("");
  const long = `<p>${"The lamps of the other towers are tried on the same day, weather allowing. ".repeat(12)}</p>`;
  for (const text of ["", long]) {
    const markdown = await scraped(letterWith(turns, text), {}, "/archive/msg00005.html");
    expect(markdown).toMatch(/^# Meeting on Friday\n/);
    expect(markdown).toContain("_From_: Greta Holm");
    expect(markdown).toContain("Bring your lamps.");
    expect(markdown).not.toMatch(/by Date|by thread|Index/);
  }
});

test("a list that does not lead both ways is none of letters before and after", async () => {
  const plans =
    "<ul><li>Next week: <a href='/fair'>The fair</a></li><li>Next month: <a href='/race'>The race</a></li></ul>";
  const markdown = await scraped(letterWith("", plans), {}, "/archive/msg00005.html");
  expect(markdown).toContain("- Next week: [The fair](/fair)\n- Next month: [The race](/race)");
});
