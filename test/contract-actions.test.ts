import { describe, expect, test } from "vitest";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { RequestError } from "../src/errors.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor } from "./start-engine.ts";

function read(actions: unknown, options: object = {}) {
  try {
    const request = { url: "https://a.example", actions, ...options };
    return parse(scrapeRequest, request, "scrape request").scrapeOptions.actions;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.details?.map(({ path }) => path.join("."));
  }
}

test.each<[object, object]>([
  [{ type: "wait", milliseconds: 1 }, {}],
  [{ type: "wait", milliseconds: 60_000 }, {}],
  [{ type: "wait", selector: "#a" }, {}],
  [{ type: "click", selector: "a" }, { all: false }],
  [{ type: "click", selector: "a", all: true }, {}],
  [{ type: "screenshot" }, { fullPage: false }],
  [{ type: "screenshot", fullPage: true, quality: 100 }, {}],
  [{ type: "write", text: "" }, {}],
  [{ type: "press", key: "Enter" }, {}],
  [{ type: "scroll" }, { direction: "down" }],
  [{ type: "scroll", direction: "up", selector: "#list" }, {}],
  [{ type: "scrape" }, {}],
  [{ type: "executeJavascript", script: "1" }, {}],
  [{ type: "pdf" }, { format: "Letter", landscape: false, scale: 1 }],
  [{ type: "pdf", format: "A6", landscape: true, scale: 0.1 }, {}],
])("%j is accepted, with the defaults %j", (action, defaults) => {
  expect(read([action])).toEqual([{ ...action, ...defaults }]);
});

test.each<[unknown, string[]]>([
  [{}, ["actions.0.type"]],
  [{ type: "hover", selector: "a" }, ["actions.0.type"]],
  ["wait", ["actions.0"]],
  [null, ["actions.0"]],
  [{ type: "wait" }, ["actions.0"]],
  [{ type: "wait", milliseconds: 1, selector: "a" }, ["actions.0"]],
  [{ type: "wait", milliseconds: 0 }, ["actions.0.milliseconds"]],
  [{ type: "wait", milliseconds: 1.5 }, ["actions.0.milliseconds"]],
  [{ type: "wait", milliseconds: 60_001 }, ["actions.0.milliseconds"]],
  [{ type: "wait", selector: "" }, ["actions.0.selector"]],
  [{ type: "click" }, ["actions.0.selector"]],
  [{ type: "click", selector: "a", all: 1 }, ["actions.0.all"]],
  [{ type: "screenshot", quality: 0 }, ["actions.0.quality"]],
  [{ type: "screenshot", quality: 101 }, ["actions.0.quality"]],
  [{ type: "screenshot", fullPage: "yes" }, ["actions.0.fullPage"]],
  [{ type: "write" }, ["actions.0.text"]],
  [{ type: "write", text: "a", selector: "b" }, ["actions.0"]],
  [{ type: "press" }, ["actions.0.key"]],
  [{ type: "press", key: "" }, ["actions.0.key"]],
  [{ type: "scroll", direction: "left" }, ["actions.0.direction"]],
  [{ type: "scroll", amount: 5 }, ["actions.0"]],
  [{ type: "scrape", url: "x" }, ["actions.0"]],
  [{ type: "executeJavascript" }, ["actions.0.script"]],
  [{ type: "executeJavascript", script: "" }, ["actions.0.script"]],
  [{ type: "pdf", format: "A7" }, ["actions.0.format"]],
  [{ type: "pdf", scale: 0 }, ["actions.0.scale"]],
  [{ type: "pdf", scale: 2.1 }, ["actions.0.scale"]],
  [{ type: "pdf", landscape: null }, ["actions.0.landscape"]],
])("%j is refused", (action, paths) => {
  expect(read([action])).toEqual(paths);
});

test("long texts are refused", () => {
  const fields = {
    selector: ["click", 2000],
    key: ["press", 100],
    text: ["write", 100_000],
    script: ["executeJavascript", 100_000],
  };
  for (const [field, [type, max]] of Object.entries(fields)) {
    const at = (length: number) => read([{ type, [field]: "x".repeat(length) }]);
    expect(at(max as number)).toHaveLength(1);
    expect(at((max as number) + 1)).toEqual([`actions.0.${field}`]);
  }
});

test("at most 50 actions", () => {
  const step = { type: "scrape" };
  expect(read(Array(50).fill(step))).toHaveLength(50);
  expect(read(Array(51).fill(step))).toEqual(["actions"]);
  expect(read("scrape")).toEqual(["actions"]);
});

test("waits take at most 60 seconds in all: a selector counts one, waitFor counts too", () => {
  const wait = { type: "wait", milliseconds: 30_000 };
  const forElement = { type: "wait", selector: "a" };
  expect(read([wait, wait])).toHaveLength(2);
  expect(read([wait, wait, forElement])).toEqual(["actions"]);
  expect(read([wait, ...Array(30).fill(forElement)])).toHaveLength(31);
  expect(read([wait, ...Array(31).fill(forElement)])).toEqual(["actions"]);
  expect(read([wait, { ...wait, milliseconds: 29_000 }], { waitFor: 1000 })).toHaveLength(2);
  expect(read([wait, { ...wait, milliseconds: 29_000 }], { waitFor: 1001 })).toEqual(["actions"]);
});

describe("selectors of actions", () => {
  // Without a browser, a request that is valid is refused only after it has been checked.
  const codeOf = async (selector: string) => {
    const request = { url: "http://127.0.0.1:1", actions: [{ type: "click", selector }] } as const;
    return (
      await engineFor({ browser: false })
        .scrape(request)
        .catch((error) => error)
    ).code;
  };

  test.each([
    "p >> text=Content",
    "p/* >> text=Content */",
    "iframe >> internal:control=enter-frame >> button",
    "text=go",
    "//p",
    'p:has-text("x")',
    "main > :is(p:visible, a)",
    ":nth-match(p, 2)",
    "a:contains(x)",
    "p[",
    " ",
  ])("%s is no CSS, and refused", async (selector) => expect(await codeOf(selector)).toBe("BAD_REQUEST"));

  test.each([
    "#go, .more > a[href^='/x' i]",
    "a:not(.b, [c='>> /*']):nth-child(2n + 1 of .x)",
    "form:has(> input:user-invalid) button:focus-visible",
    ".sm\\:flex",
    "svg|a",
    ":is(h1, h2)::part(x)",
    "dialog:modal:open",
  ])("%s is CSS", async (selector) => expect(await codeOf(selector)).toBe("UNSUPPORTED"));

  test("a long one is judged in little time", async () => {
    for (const part of ['\\"', "'", '"', "/*", ":is(", "a>"]) {
      const begun = cpuTime();
      await codeOf(part.repeat(2000 / part.length));
      expect(cpuTime() - begun).toBeLessThan(200);
    }
  });
});
