import { describe, expect, it } from "vitest";
import { ScrapeError } from "../src/errors.ts";
import { detectKind, unsupportedFileError } from "../src/transform/media-type.ts";
import { cpuTime } from "./cpu-time.ts";

const kind = (body: string, contentType?: string, url?: string) =>
  detectKind(new Uint8Array(Buffer.from(body, "latin1")), contentType, url);

describe("what a body is", () => {
  it.each([
    ["<!doctype html><title>x</title>", "text/html; charset=utf-8", "html"],
    ["<p>no root</p>", "TEXT/HTML", "html"],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xhtml+xml", "html"],
    ["plain", "text/plain", "text"],
    ["body { color: red }", "text/css", "text"],
    ["let a = 1;", "application/javascript", "text"],
    ["a,b\n1,2", "text/csv; header=present", "text"],
    ["# Title", "text/markdown", "markdown"],
    ["<div align=center>\n\n# Title", "text/markdown", "markdown"],
    ["<?xml version='1.0'?>", "text/markdown", "markdown"],
    ['{"a":1}', "application/json", "json"],
    ['{"@context":1}', "application/ld+json", "json"],
    ['{"a":1}\n{"a":2}', "application/x-ndjson", "json"],
    ["<a/>", "text/xml", "xml"],
    ["<rss/>", "application/rss+xml", "xml"],
    ["%PDF-1.7", "application/pdf", "pdf"],
    ["", "text/html", "html"],
    ["  \n", "application/json", "html"],
    ["", undefined, "html"],
  ])("believes the header: %j as %s is %s", (body, contentType, expected) => {
    expect(kind(body, contentType)).toBe(expected);
  });

  it.each([
    ["%PDF-1.4 …", "text/html", "pdf"],
    ["\n\n%PDF-1.4", "application/octet-stream", "pdf"],
    [`${"junk ".repeat(100)}%PDF-1.4`, "application/pdf", "pdf"],
    ["<!DOCTYPE HTML><p>error</p>", "application/pdf", "html"],
    ["<html>not found</html>", "image/jpeg", "html"],
    ["<html>not found</html>", "application/json", "html"],
    ["<!-- saved --><html>", "text/plain", "html"],
    ["<!doctype html>", "application/octet-stream", "html"],
    ['{"error": "none"}', "text/html", "json"],
    ["[1, 2]", "text/plain", "json"],
    ['<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">', "text/html", "xml"],
    ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', "application/xml", "html"],
    ["<rss version='2.0'>", "text/plain", "xml"],
    ["<rss version='2.0'>", "application/json", "xml"],
    ['{"error": "none"}', "application/xml", "json"],
    ["<!doctype html><p>not found", "text/markdown", "html"],
    ["\x89PNG\r\n\x1a\n...", "text/html", "unsupported"],
    ["PK\x03\x04....", "application/octet-stream", "unsupported"],
    ["\x1f\x8b\x08\0", "text/html", "unsupported"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", "unsupported"],
    ["....ftypisom", "text/plain", "unsupported"],
  ])("believes the bytes more: %j as %s is %s", (body, contentType, expected) => {
    expect(kind(body, contentType)).toBe(expected);
  });

  it.each([
    ["just words", undefined, "text"],
    ["<div>fragment</div>", undefined, "html"],
    ["<!-- comment --><p>fragment</p>", "", "html"],
    ['{"a": [1, 2]}', "application/octet-stream", "json"],
    ["[section]\nkey=value", "application/octet-stream", "text"],
    ["\0\x01\x02binary", "application/octet-stream", "unsupported"],
    ["\0\x01\x02binary", undefined, "unsupported"],
    ["\xff\xfeh\0i\0", undefined, "text"],
    ["<svg/>", "image/svg+xml", "unsupported"],
    ["not a PDF", "application/pdf", "unsupported"],
    ["text", "font/woff2", "unsupported"],
  ])(
    "decides by the bytes alone without a header that says something: %j as %s is %s",
    (body, contentType, expected) => {
      expect(kind(body, contentType)).toBe(expected);
    },
  );

  it("does not take a page about PDF files for one", () => {
    expect(kind("<p>A file starts with %PDF-1.7</p>", "text/html")).toBe("html");
    expect(kind("A file starts with %PDF-1.7", "text/plain")).toBe("text");
  });

  it("lets NUL bytes pass in what is declared as text", () => {
    expect(kind("a\0b", "text/html")).toBe("html");
    expect(kind("a\0b", "text/plain")).toBe("text");
  });

  it("never goes by the file name, but for markdown that is served as plain text", () => {
    expect(kind("<!doctype html>", "text/html", "https://site.test/report.pdf")).toBe("html");
    expect(kind("# Title", "text/plain; charset=utf-8", "https://site.test/README.md?raw=1")).toBe("markdown");
    expect(kind("# Title", "text/html", "https://site.test/README.md")).toBe("html");
  });

  it("names what is not supported", () => {
    const error = (body: string, contentType?: string) =>
      unsupportedFileError(new Uint8Array(Buffer.from(body, "latin1")), contentType);
    expect(error("\x89PNG\r\n\x1a\n", "text/html")).toBeInstanceOf(ScrapeError);
    expect(error("\x89PNG\r\n\x1a\n", "text/html").code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
    expect(error("\x89PNG\r\n\x1a\n", "text/html").message).toContain("PNG image");
    expect(error("x", "video/x-unknown; a=b").message).toContain("video/x-unknown");
    expect(error("\0\0\0", undefined).message).toContain("binary data");
  });

  it("takes linear time on bodies made to be slow", () => {
    const started = cpuTime();
    for (const piece of ["<!--", "[", '{"a":', "<?xml", "%PDF", "\0"]) kind(piece.repeat(300_000), "text/html");
    expect(cpuTime() - started).toBeLessThan(3_000);
  });
});
