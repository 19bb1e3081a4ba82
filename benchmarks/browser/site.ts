/** A site on loopback whose pages are filled by scripts; the same for every contender. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

const words = "observatory meteor catalogue lens winter signal harbour garden ledger copper mountain archive".split(
  " ",
);

function paragraph(seed: number): string {
  return Array.from({ length: 60 }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(
    " ",
  );
}

/** A shell, its script, its data, a stylesheet, a font and six pictures: about what a small application loads. */
export async function startSite(): Promise<Site> {
  const picture = Buffer.alloc(40_000, 7);
  const library = `/* a library */ var library = ${JSON.stringify("x".repeat(150_000))};`;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { "content-type": type }).end(body);
    if (url.pathname === "/data") {
      const seed = Number(url.searchParams.get("page"));
      return send(
        "application/json",
        JSON.stringify({ title: `Page ${seed}`, rows: Array.from({ length: 40 }, (_, i) => paragraph(seed + i)) }),
      );
    }
    if (url.pathname === "/library.js") return send("text/javascript", library);
    if (url.pathname === "/app.js") {
      return send(
        "text/javascript",
        `fetch("/data?page=" + location.pathname.slice(6)).then((r) => r.json()).then(({ title, rows }) => {
          const root = document.getElementById("root");
          root.innerHTML = "<h1></h1>" + Array.from({ length: 6 }, (_, i) => '<img src="/picture/' + i + location.pathname + '.png">').join("");
          root.firstChild.textContent = title;
          for (const row of rows) { const p = document.createElement("p"); p.textContent = row; root.append(p); }
        });`,
      );
    }
    if (url.pathname === "/style.css")
      return send("text/css", "@font-face{font-family:f;src:url(/font.woff2)} body{font-family:f,serif}");
    if (url.pathname === "/font.woff2") return send("font/woff2", picture);
    if (url.pathname.startsWith("/picture/")) return send("image/png", picture);
    return send(
      "text/html; charset=utf-8",
      '<!doctype html><html lang="en"><head><title>App</title><link rel="stylesheet" href="/style.css"></head><body><div id="root"></div><script src="/library.js"></script><script src="/app.js"></script></body></html>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
