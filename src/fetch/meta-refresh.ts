/**
 * Finds the address to which a page sends its readers at once, by a `refresh` header or `<meta http-equiv="refresh">`,
 * as sites do that cannot send redirects. Runs in linear time.
 */

import type { HttpResponse } from "../ports/http-client.ts";
import { asBuffer } from "../shared/as-buffer.ts";
import { decodeAttribute } from "../shared/html-references.ts";
import { latin1OrUtf8 } from "./header-text.ts";
import { beginsWithText, endOfSilent, isSilent, readSignals } from "./page-signals.ts";

/** Bytes in which the element is looked for. */
const headBytes = 16 * 1024;
/** Longer tags are not read. */
const maxTag = 2_000;
/** In seconds. A page with a longer delay is meant to be read. */
const longestDelay = 1;
/** In characters; a page with more text is content by itself. */
const hardlyAnyText = 200;

/** The absolute address to which a page with hardly any text leads on; undefined for any other page. */
export function refreshTarget({
  statusCode,
  url,
  headers,
  body,
}: Pick<HttpResponse, "statusCode" | "url" | "headers" | "body">): string | undefined {
  if (statusCode !== 200 || !/html|^$/i.test(headers["content-type"] ?? "")) return undefined;
  // Nearly all pages end here.
  if (beginsWithText(body, hardlyAnyText)) return undefined;
  const html = asBuffer(body, headBytes).toString("latin1");
  const sent = headers["refresh"];
  if (sent === undefined && !/refresh/i.test(html)) return undefined;
  const { refresh, base } = sent === undefined ? readHead(html) : { refresh: latin1OrUtf8(sent) };
  const target = refresh === undefined ? undefined : targetIn(refresh);
  if (target === undefined || readSignals(body).text >= hardlyAnyText) return undefined;
  return URL.parse(target, URL.parse(base ?? "", url)?.href ?? url)?.href;
}

/** The first `refresh` and the first `base` of a page. */
function readHead(html: string): { refresh?: string | undefined; base?: string | undefined } {
  const found: { refresh?: string | undefined; base?: string | undefined } = {};
  for (let open = html.indexOf("<"); open >= 0; ) {
    const isComment = html.startsWith("<!--", open);
    const end = html.indexOf(isComment ? "-->" : ">", open);
    if (end < 0) break;
    let next = end;
    const name = isComment ? "" : (/^<([a-z]{1,10})[\s/>]/i.exec(html.slice(open, open + 12))?.[1] ?? "").toLowerCase();
    if (isSilent(name)) {
      next = endOfSilent(html, name, end);
      if (next < 0) break;
    } else if (end - open <= maxTag && (name === "meta" || name === "base")) {
      const attributes = attributesOf(html.slice(open + name.length + 1, end));
      if (name === "base") found.base ??= attributes.get("href");
      else if (/^\s*refresh\s*$/i.test(attributes.get("http-equiv") ?? "")) found.refresh ??= attributes.get("content");
    }
    open = html.indexOf("<", next);
  }
  return found;
}

function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of tag.matchAll(
    /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) {
      attributes.set(key, decodeAttribute(latin1OrUtf8(double ?? single ?? bare ?? "")));
    }
  }
  return attributes;
}

/** `0; url='/next'` -> `/next`, as browsers read it. */
function targetIn(content: string): string | undefined {
  const text = content.trim();
  const delay = /^[\d.]+/.exec(text)?.[0] ?? "";
  if (!(Number.parseFloat(delay) <= longestDelay)) return undefined;
  const rest = text.slice(delay.length);
  if (!/^[;,\s]/.test(rest)) return undefined;
  const named = rest.trimStart().replace(/^[;,]/, "").trimStart();
  const target = named.replace(/^url\s*=/i, "").trimStart();
  const quote = target[0];
  const isQuoted = quote === '"' || quote === "'";
  return (isQuoted ? target.slice(1).split(quote, 1)[0]! : target).trim() || undefined;
}
