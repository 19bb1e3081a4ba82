/** Hostile and odd bodies: encodings, charsets, sizes, broken markup. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { htmlPage, number } from "./hostile-page.ts";
import { send, type TestAnswer, type TestExchange, type TestHandler } from "./test-site-answer.ts";

const same = (body: Uint8Array): Uint8Array => body;

/** By name in the path: the `content-encoding` that is sent, and how the body is encoded. */
const encodings: Readonly<Record<string, readonly [header: string, encode: (body: Uint8Array) => Uint8Array]>> = {
  gzip: ["gzip", gzipSync],
  deflate: ["deflate", deflateSync],
  "deflate-raw": ["deflate", deflateRawSync],
  br: ["br", brotliCompressSync],
  zstd: ["zstd", zstdCompressSync],
  "gzip-twice": ["gzip, gzip", (body) => gzipSync(gzipSync(body))],
  "not-gzip": ["gzip", same],
  "truncated-gzip": ["gzip", (body) => gzipSync(body).subarray(0, 120)],
  unknown: ["x-unheard-of", same],
};

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

type CharsetCase = readonly [contentType: string, head: string, text: Uint8Array, meaning: string];

/** Gives the cases a named type: an inferred one could not be read by compilers before TypeScript 5.7. */
const named = <Name extends string>(cases: Readonly<Record<Name, CharsetCase>>) => cases;

/**
 * By name in the path: the `Content-Type`, the markup in the head, the bytes of the text, and the text that is meant.
 */
export const charsetCases = named({
  shift_jis: ["text/html; charset=Shift_JIS", "", bytes(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea), "日本語"],
  "euc-jp-meta": ["text/html", '<meta charset="euc-jp">', bytes(0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec), "日本語"],
  gbk: ["text/html; charset=gbk", "", bytes(0xd6, 0xd0, 0xce, 0xc4), "中文"],
  "windows-1251-meta": [
    "text/html",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2),
    "Привет",
  ],
  "windows-1252": ["text/html; charset=windows-1252", "", bytes(0x93, 0x63, 0x61, 0x66, 0xe9, 0x94), "“café”"],
  /** On the web, Latin 1 means windows-1252. */
  "iso-8859-1": ["text/html; charset=iso-8859-1", "", bytes(0x80, 0x31), "€1"],
  "utf-8-bom-against-header": ["text/html; charset=windows-1252", "\u{feff}", new TextEncoder().encode("żółw"), "żółw"],
  /** Wrongly declared as UTF-8: each bad byte becomes a replacement character. */
  mislabelled: ["text/html; charset=utf-8", "", bytes(0x63, 0x61, 0x66, 0xe9), "caf\u{fffd}"],
  unknown: ["text/html; charset=x-no-such-charset", "", new TextEncoder().encode("żółw"), "żółw"],
});

function charset(name: string): TestAnswer {
  const found = charsetCases[name as keyof typeof charsetCases];
  if (found === undefined) return { status: 404, body: "<p>No such charset case.</p>" };
  const [contentType, head, text] = found;
  const body = Buffer.concat([
    Buffer.from(`${head}<title>Charset</title><h1>Charset</h1><p>`),
    text,
    Buffer.from("</p>"),
  ]);
  return { headers: { "content-type": contentType }, body };
}

async function repeat(exchange: TestExchange, chunk: string | Uint8Array, times: number): Promise<void> {
  for (let time = 0; time < times; time++) if (!(await send(exchange, chunk))) return;
}

export const bodies = {
  encoded: (exchange): TestAnswer => {
    const [header, encode] = encodings[exchange.segments[0] ?? "gzip"] ?? encodings["unknown"]!;
    return {
      headers: { "content-type": "text/html; charset=utf-8", "content-encoding": header },
      body: encode(Buffer.from(htmlPage(`Encoded as ${exchange.segments[0]}`))),
    };
  },
  /** Members of one megabyte of zeros each, about a kilobyte on the wire: legal, and cheap to serve. */
  "gzip-bomb": async (exchange) => {
    exchange.response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
    await repeat(exchange, gzipSync(Buffer.alloc(1 << 20)), number(exchange, 0, 1000));
    exchange.response.end();
  },
  charset: (exchange) => charset(exchange.segments[0] ?? ""),
  "nul-bytes": () => "<title>Nul\0 bytes</title><h1>Before\0After</h1><p>A\0 sentence with \0nul bytes.</p>\0\0\0",
  empty: () => "",
  malformed: () =>
    "<p>Open<div><b><i>cross</b>ed</i><table><tr><td>cell<table></p><a href='/page/1>never closed</a><!-- <ul><li>x",
  "big-page": async (exchange) => {
    const size = number(exchange, 0, 50_000_000);
    const paragraph = "<p>A long page is made of many short paragraphs, and each of them says the same.</p>\n";
    const chunk = Buffer.from(paragraph.repeat(800));
    exchange.response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    await send(exchange, "<!doctype html><title>Big page</title><h1>Big page</h1>\n");
    await repeat(exchange, chunk, Math.ceil(size / chunk.length));
    exchange.response.end('<p><a href="/page/1">The end</a></p>');
  },
  deep: (exchange) => {
    const levels = number(exchange, 0, 100_000);
    return `<title>Deep</title>${"<div>".repeat(levels)}<p>The bottom of the page.</p>${"</div>".repeat(levels)}`;
  },
} satisfies Record<string, TestHandler>;
