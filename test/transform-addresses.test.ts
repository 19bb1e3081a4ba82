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
    const others = ["blockquote cite", "q cite", "object data", "embed src", "video poster", "iframe src"];
    const page = `<video><track src="t.vtt"></video>${others.map((start) => `<${start}="/a/../b"></${start.split(" ")[0]}>`).join("")}`;
    const written = await htmlOf(page);
    for (const start of others) expect(written).toContain(`<${start}="https://example.test/b"`);
    expect(written).toContain('<track src="https://example.test/section/t.vtt"');
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

  it.each([
    ["shift_jis", "猫ソｱ①∥", "%94L%83%5C%B1%87%40%81a"],
    ["euc-jp", "猫ア①", "%C7%AD%A5%A2%AD%A1"],
    ["gbk", "手机丂€", "%CA%D6%BB%FA%81%40%80"],
    ["big5", "中文", "%A4%A4%A4%E5"],
    ["euc-kr", "한뷁", "%C7%D1%94%EE"],
    ["windows-1251", "Привет", "%CF%F0%E8%E2%E5%F2"],
    ["windows-1252", "é€", "%E9%80"],
    ["iso-2022-jp", "猫", "%E7%8C%AB"],
    ["utf-8", "猫", "%E7%8C%AB"],
  ])("have a query in the encoding of their page: %s", async (encoding, text, query) => {
    // The characters as references, which are the same in all encodings.
    const letters = [...text].map((letter) => `&#${letter.codePointAt(0)};`).join("");
    const html = `<a href="?q=${letters}#${letters}">a</a><a href="mailto:a@b.test?subject=${letters}">b</a>`;
    const contentType = `text/html; charset=${encoding}`;
    const { links = [] } = await transformHtml(html, { formats: ["links"] }, { contentType });
    expect(links).toEqual([
      `https://example.test/section/page?q=${query}#${encodeURIComponent(text)}`,
      `mailto:a@b.test?subject=${encodeURIComponent(text)}`,
    ]);
  });

  it("of scripts are no links, those of mail and telephone are", async () => {
    const { links, markdown } = await transformHtml(
      `<a href="javascript:go()">go</a> <a href="mailto:a@b.test">mail</a> <a href="tel:+1">call</a> <a href="data:text/html,x">data</a>
       <a href="blob:https://example.test/1">blob</a> <a href="about:blank">blank</a> <a href="vbscript:go">script</a>
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

  it("of the frames of a page are links, where the frames make up the page", async () => {
    const frames = `<frameset><frame src="/menu"><frame src="text"></frameset>`;
    const { links, discovered } = await transformHtml(frames, { formats: ["links"], discoverLinks: true });
    expect(links).toEqual(["https://example.test/menu", "https://example.test/section/text"]);
    expect(discovered).toEqual(links);
  });

  it("that a crawl may follow are those of pages, also of the next and of those in other languages", async () => {
    const head = ["NEXT", "prev", "canonical", "x Alternate"].map((rel, at) => `<link rel="${rel}" href="/${at}">`);
    const feed = '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" href="ftp://f/">';
    const { discovered } = await transformHtml(
      `${head.join("")}${feed}<link rel="alternate" type="text/HTML" href="/4"><link rel="stylesheet" href="/s.css">
       <a href="mailto:a@b.test">mail</a><a href="/5">five</a>`,
      { formats: [], discoverLinks: true },
    );
    expect(discovered).toEqual([0, 1, 2, 3, 4, 5].map((page) => `https://example.test/${page}`));
  });

  it("of scripts are none, however browsers have to read them", async () => {
    const page = `<p><a href="java\nscript:one()">one</a> <a href="&#1; jav&#9;ascript:two()">two</a> <a href="JavaScript:three()">three</a>
       <a href="VBScript:four()">four</a></p>
       <iframe src="java\tscript:four()"></iframe>`;
    const { html, links } = await transformHtml(page, { formats: ["html", "links"] });
    expect(links).toEqual([]);
    expect((await transformHtml(page)).markdown).toBe("one two three four");
    expect(html).not.toMatch(/\w\(\)/);
    expect(html).toContain("<iframe></iframe>");
  });

  it("of pictures are none of scripts, but those that a reader would see", async () => {
    const html = await htmlOf(`<img src="a.png" data-src="javascript:load()"><img src="b.png" srcset=" javascript:1 2x">
      <img src="java\nscript:1"><picture><source srcset="javascript:1, c.png 2x"><img alt="c"></picture>`);
    expect(html).toContain('<img src="https://example.test/section/a.png" data-src');
    expect(html).toContain('<img src="https://example.test/section/b.png" srcset>');
    expect(html).toContain('<picture><source srcset="https://example.test/section/c.png 2x"><img alt="c" src=');
    expect(html?.replace('data-src="javascript:load()"', "")).not.toMatch(/javascript:/);
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
    expect(parseSrcset(",a.jpg,, b.jpg").map(({ url }) => url)).toEqual(["a.jpg", "b.jpg"]);
  });

  it("in a set of pictures are as many as a page may need", async () => {
    const html = await htmlOf(`<img src="/a.jpg" srcset="${"a, ".repeat(20_000)}">`);
    expect(html!.length).toBeLessThan(20_000);
  });

  it.each([
    ["the late one, instead of a placeholder", '<img src="data:image/gif;base64,R0lG" data-src="/a.jpg">'],
    [
      "the late one, instead of a set of placeholders",
      '<img srcset="data:image/gif;base64,R0lG 1x" data-original="/a.jpg">',
    ],
    [
      "that of the picture around it, instead of a placeholder",
      '<picture><source srcset="/a.jpg 1x"><img src="data:image/gif;base64,R0lG"></picture>',
    ],
    ["its own, instead of settings for a script", '<img src="/a.jpg" data-src="{&quot;small&quot;: 1}">'],
  ])("of a picture is %s", async (_, image) => {
    expect((await transformHtml(`<p>${image}</p>`)).markdown).toBe("![](https://example.test/a.jpg)");
  });

  it("of a player or frame are the late ones where there is only a placeholder", async () => {
    const { markdown } = await transformHtml(
      `<iframe src="about:blank" data-src="/film"></iframe><video data-src="/v.mp4" src=" "></video><iframe src="/own" data-src="/late"></iframe>`,
    );
    expect(markdown?.match(/test\/[\w.]+\)/g)).toEqual(["test/film)", "test/v.mp4)", "test/own)"]);
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
