import { describe, expect, it } from "vitest";
import { parseSrcset } from "../src/transform/srcset.ts";
import { transformHtml } from "./transform-input.ts";

const htmlOf = async (html: string) => (await transformHtml(html, { formats: ["html", "links"] })).html;

describe("addresses", () => {
  it("are absolute on every element that has one", async () => {
    const html =
      await htmlOf(`<base href="/docs/"><a href="a">a</a><img src="i.png" srcset="i.png 1x, b,ig.png 2x"><picture><source srcset="s.webp"></picture>
      <video src="v.mp4" poster="p.jpg"></video><audio src="s.mp3"></audio><iframe src="//other.test/f"></iframe><map><area href="m"></map>`);
    for (const address of ["a", "s.webp", "v.mp4", "p.jpg", "s.mp3", "m"]) {
      expect(html).toContain(`"https://example.test/docs/${address}"`);
    }
    expect(html).toContain(`src="https://example.test/docs/b,ig.png"`);
    expect(html).toContain(`srcset="https://example.test/docs/i.png, https://example.test/docs/b%2Cig.png 2x"`);
    expect(html).toContain(`src="https://other.test/f"`);
  });

  it("do not follow a base that is in a template only", async () => {
    expect(await htmlOf(`<template><p><base href="/wrong/"></p></template><a href="a">a</a>`)).toContain(
      '<a href="https://example.test/section/a">',
    );
  });

  it("do not follow a base that leads nowhere", async () => {
    expect(await htmlOf(`<base href="javascript:x"><base href="/second/"><a href="a">a</a>`)).toContain(
      `"https://example.test/section/a"`,
    );
  });

  it("of scripts are no links, those of mail and telephone are", async () => {
    const { links, markdown } = await transformHtml(
      `<a href="javascript:go()">go</a> <a href="mailto:a@b.test">mail</a> <a href="tel:+1">call</a> <a href="data:text/html,x">data</a>
       <a href="/x">x</a> <a href="/x">again</a> <a href="#part">part</a>`,
      { formats: ["links", "markdown"] },
    );
    expect(links).toEqual([
      "mailto:a@b.test",
      "tel:+1",
      "https://example.test/x",
      "https://example.test/section/page#part",
    ]);
    expect(markdown).toMatch(/^go \[mail\]/);
  });

  it("of scripts are none, however browsers have to read them", async () => {
    const { html, links, markdown } = await transformHtml(
      `<p><a href="java\nscript:one()">one</a> <a href="&#1; jav&#9;ascript:two()">two</a> <a href="JavaScript:three()">three</a></p>
       <iframe src="java\tscript:four()"></iframe>`,
      { formats: ["html", "links", "markdown"] },
    );
    expect(links).toEqual([]);
    expect(markdown).toBe("one two three");
    expect(html).toContain("<a>one</a> <a>two</a> <a>three</a>");
    expect(html).toContain("<iframe></iframe>");
  });

  it("that no browser understands are no links", async () => {
    const { links } = await transformHtml(
      `<a href="http://">none</a> <a href="//">none</a> <a href="https://exa mple.test/">none</a> <a href="/one">one</a>`,
      { formats: ["links"] },
    );
    expect(links).toEqual(["https://example.test/one"]);
  });

  it("that are empty are none, and not that of the page", async () => {
    const players = `<video controls><source src=""></video><audio controls src=" "></audio><p>Silence.</p>`;
    const { markdown, html } = await transformHtml(players, { formats: ["markdown", "html"] });
    expect(markdown).toBe("Silence.");
    expect(html).not.toContain("src");
  });

  it("in a set of pictures may contain commas", () => {
    expect(parseSrcset(" a,b.jpg 1x ,c.jpg 2.5x, d.jpg,e.jpg 300w")).toEqual([
      { url: "a,b.jpg", size: 1, unit: "x" },
      { url: "c.jpg", size: 2.5, unit: "x" },
      { url: "d.jpg,e.jpg", size: 300, unit: "w" },
    ]);
    expect(parseSrcset("")).toEqual([]);
  });

  it("of a picture is that of its largest version, its own src being one of density 1", async () => {
    const { markdown } = await transformHtml(
      `<p><img alt="half" src="/whole.jpg" srcset="/small.jpg 0.5x"> <img alt="twice" src="/once.jpg" srcset="/big.jpg 2x">
        <img alt="equal" src="/old.jpg" srcset="/new.jpg"> <img alt="wide" src="/own.jpg" srcset="/small.jpg 40w, /wide.jpg 80w"></p>`,
    );
    const sources = [...markdown!.matchAll(/\[(\w+)\]\(https:\/\/example\.test\/(\w+)\.jpg\)/g)];
    expect(sources.map(([, name, source]) => `${name} ${source}`)).toEqual([
      "half whole",
      "twice big",
      "equal new",
      "wide wide",
    ]);
  });
});
