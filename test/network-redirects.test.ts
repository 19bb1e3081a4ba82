import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { CookieJar, cookieHeader } from "../src/fetch/cookie-jar.ts";
import { isMeantFor } from "../src/fetch/redirects.ts";
import { failure } from "./failure.ts";
import { httpServer, httpsServer, paths, rawServer, redirectTo, testClient, text, until } from "./network-server.ts";

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  const parts: Buffer[] = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const { method, headers } = request;
    response.end(JSON.stringify({ method, headers, body: Buffer.concat(parts).toString() }));
  });
};

const echoed = (body: Uint8Array): { method: string; headers: Record<string, string>; body: string } =>
  JSON.parse(text(body));

describe("following redirects", () => {
  test("reports the final URL and those that led to it", async () => {
    const server = await httpServer(
      paths({
        "/a/b": redirectTo("../c?x=1"),
        "/c": redirectTo("//other.test:PORT/d"),
        "/e": (_, response) => response.end("end"),
      }),
    );
    const other = await httpServer(paths({ "/d": redirectTo(server.url("/e", "third.test"), 308) }));
    const relative = await httpServer(
      paths({ "/a/b": redirectTo("../c?x=1"), "/c": redirectTo(`//other.test:${other.port}/d`, 301) }),
    );
    const answer = await testClient().request({ url: relative.url("/a/b#part") });
    expect(answer).toMatchObject({
      url: server.url("/e#part", "third.test"),
      statusCode: 200,
      redirects: [relative.url("/a/b#part"), relative.url("/c?x=1#part"), other.url("/d#part", "other.test")],
    });
    expect(text(answer.body)).toBe("end");
  });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [302, "HEAD", "HEAD"],
    [303, "HEAD", "HEAD"],
  ] as const)("%i after %s goes on with %s", async (status, method, expected) => {
    const seen: string[] = [];
    const server = await httpServer((request, response) => {
      seen.push(`${request.method} ${request.headers["content-type"]}`);
      if (request.url === "/to") echo(request, response);
      else redirectTo("/to", status)(request, response);
    });
    const answer = await testClient().request({
      url: server.url("/from"),
      method,
      headers: { "content-type": "text/x" },
      ...(method === "POST" ? { body: "data" } : {}),
    });
    expect(answer.statusCode).toBe(200);
    expect(seen[1]).toBe(`${expected} ${method === "POST" && expected === "GET" ? "undefined" : "text/x"}`);
    if (method === "POST") expect(echoed(answer.body).body).toBe(expected === "POST" ? "data" : "");
  });

  test.each([
    "http://[bad",
    "http://a b/",
    "mailto:someone@example.test",
    "javascript:alert(1)",
    "ftp://example.test/",
    "data:text/html,x",
    "file:///etc/passwd",
  ])("a location of %s leaves the redirect as the answer", async (location) => {
    const server = await httpServer(redirectTo(location));
    expect(await testClient().request({ url: server.url() })).toMatchObject({ statusCode: 302, redirects: [] });
  });

  test("a redirect without location, and 300 or 304, are answers", async () => {
    for (const status of [301, 300, 304]) {
      const server = await httpServer((_, response) => response.writeHead(status).end());
      expect(await testClient().request({ url: server.url() })).toMatchObject({ statusCode: status, redirects: [] });
    }
  });

  test("a redirect to nothing is an answer", async () => {
    const server = await httpServer((_, response) => response.writeHead(302, { location: " " }).end("The page."));
    const answer = await testClient().request({ url: server.url() });
    expect([answer.statusCode, text(answer.body), answer.redirects]).toEqual([302, "The page.", []]);
  });

  test("a location in raw UTF-8 is understood", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: Buffer.from("/käse").toString("latin1") }).end();
      else response.end(request.url);
    });
    expect(text((await testClient().request({ url: server.url() })).body)).toBe("/k%C3%A4se");
  });

  test("no redirect is followed when none is allowed", async () => {
    const server = await httpServer(redirectTo("/next"));
    const answer = await testClient().request({ url: server.url(), maxRedirects: 0 });
    expect(answer).toMatchObject({ statusCode: 302, url: server.url() });
  });

  test("a redirect with an endless page of its own is followed, and the page given up", async () => {
    let isGivenUp = false;
    const server = await httpServer((request, response) => {
      if (request.url === "/end") return void response.end("end");
      response.writeHead(302, { location: "/end" });
      const timer = setInterval(() => response.write("x".repeat(8192)), 1);
      response.on("close", () => {
        clearInterval(timer);
        isGivenUp = true;
      });
    });
    const client = testClient();
    expect(text((await client.request({ url: server.url() })).body)).toBe("end");
    await until(() => isGivenUp, "the endless page to be given up");
  });

  test.each([
    ["announces a page of its own that never comes", "content-length: 100\r\n\r\n"],
    ["begins a page of its own and stands still", "transfer-encoding: chunked\r\n\r\n5\r\nMoved\r\n"],
    ["neither says how long its page is nor ends it", "\r\nMoved"],
  ])("a redirect that %s is followed", async (_, rest) => {
    const server = await rawServer((socket, head) => {
      if (head.startsWith("GET /to ")) socket.end("HTTP/1.1 200 OK\r\n\r\nthere");
      else socket.write(`HTTP/1.1 302 Found\r\nlocation: /to\r\n${rest}`);
    });
    const answer = await testClient().request({ url: server.url("/from"), signal: AbortSignal.timeout(4_000) });
    expect(text(answer.body)).toBe("there");
  });
});

test("a connection is given up rather than read to the end of a redirect's long page", async () => {
  const page = "x".repeat(1_000_000);
  const server = await httpServer((request, response) => {
    if (request.url === "/to") response.end("there");
    else response.writeHead(302, { location: "/to" }).end(page);
  });
  expect(text((await testClient().request({ url: server.url("/from") })).body)).toBe("there");
  expect(server.sockets.opened).toBe(2);
});

describe("loops", () => {
  test("a page that redirects to itself", async () => {
    const server = await httpServer(redirectTo("/same"));
    const error = await failure(testClient().request({ url: server.url("/same") }));
    expect(error).toMatchObject({ code: "SCRAPE_SITE_ERROR", retryable: false });
    expect(error.message).toMatch(/redirect loop/i);
    expect(server.sockets.opened).toBe(1);
  });

  test("two pages that redirect to each other", async () => {
    const server = await httpServer(paths({ "/a": redirectTo("/b"), "/b": redirectTo("/a") }));
    expect((await failure(testClient().request({ url: server.url("/a") }))).message).toMatch(/redirect loop/i);
  });

  test("ever longer URLs end at the limit", async () => {
    let count = 0;
    const server = await httpServer((request, response) => {
      count += 1;
      redirectTo(`${request.url}x`)(request, response);
    });
    expect((await failure(testClient().request({ url: server.url() }))).message).toContain("more than 10");
    expect(count).toBe(11);
    expect((await failure(testClient({ maxRedirects: 3 }).request({ url: server.url() }))).message).toContain("than 3");
    expect((await failure(testClient().request({ url: server.url(), maxRedirects: 2 }))).message).toContain("than 2");
  });

  test("a page that redirects to itself with a user name and password is no loop", async () => {
    const server = await httpServer((request, response) => {
      if (request.headers.authorization !== undefined) response.end("in");
      else redirectTo(`http://user:secret@${request.headers.host}/`)(request, response);
    });
    const { body, url } = await testClient().request({ url: server.url("/") });
    expect([text(body), url]).toEqual(["in", server.url("/")]);
  });

  test("a page that sets a cookie and redirects to itself is no loop", async () => {
    const server = await httpServer((request, response) => {
      if (request.headers.cookie === "seen=1") response.end("welcome");
      else redirectTo("/", 302, { "set-cookie": "seen=1" })(request, response);
    });
    expect(text((await testClient().request({ url: server.url() })).body)).toBe("welcome");
  });
});

describe("what goes along", () => {
  test.each([
    ["http://site.test/", "http://site.test/x", true],
    ["https://site.test/", "https://site.test:443/x", true],
    // Only from http to the same host's https, and only at the usual ports.
    ["http://site.test/", "https://site.test/x", true],
    ["https://site.test/", "http://site.test/x", false],
    ["http://site.test/", "https://other.test/x", false],
    ["http://site.test/", "https://sub.site.test/x", false],
    ["http://site.test/", "https://site.test:8443/x", false],
    ["http://site.test:8080/", "https://site.test/x", false],
  ])("what is meant for %s may go to %s: %s", (from, to, expected) => {
    expect(isMeantFor(new URL(from), new URL(to))).toBe(expected);
  });

  const personal = { authorization: "Bearer t", cookie: "session=1", "x-api-key": "k", referer: "http://r.test/" };
  const impersonal = { "user-agent": "test", accept: "text/html", "accept-language": "de" };

  test("to another origin only impersonal headers go, and they do not come back", async () => {
    const target = await httpServer(paths({ "/echo": echo }));
    const back = await httpServer(paths({ "/back": (q, r) => redirectTo(first.url("/echo"))(q, r) }));
    const first = await httpServer(
      paths({ "/away": redirectTo(target.url("/echo")), "/boomerang": redirectTo(back.url("/back")), "/echo": echo }),
    );
    for (const path of ["/away", "/boomerang"]) {
      const answer = await testClient().request({ url: first.url(path), headers: { ...personal, ...impersonal } });
      const { headers } = echoed(answer.body);
      expect(headers).toMatchObject(impersonal);
      for (const name of Object.keys(personal)) expect(headers).not.toHaveProperty(name);
    }
  });

  test("another port of the same host, and another name, are other origins", async () => {
    const target = await httpServer(echo);
    const server = await httpServer(redirectTo(target.url("/", "site.test")));
    const answer = await testClient().request({ url: server.url("/", "site.test"), headers: personal });
    expect(echoed(answer.body).headers).not.toHaveProperty("authorization");
  });

  test("the https of another port is another origin, too", async () => {
    const target = await httpsServer(echo);
    const server = await httpServer(redirectTo(target.url("/", "site.test")));
    const request = { url: server.url("/", "site.test"), headers: personal, skipTlsVerification: true };
    const { headers } = echoed((await testClient().request(request)).body);
    for (const name of Object.keys(personal)) expect(headers).not.toHaveProperty(name);
  });

  test("within the origin everything goes along", async () => {
    const server = await httpServer(paths({ "/": redirectTo("/echo"), "/echo": echo }));
    const answer = await testClient().request({ url: server.url(), headers: personal });
    expect(echoed(answer.body).headers).toMatchObject(personal);
  });

  test("credentials of the URL go to its origin only and are not reported", async () => {
    const target = await httpServer(echo);
    const server = await httpServer(
      paths({ "/": redirectTo("/echo"), "/echo": echo, "/away": redirectTo(target.url()) }),
    );
    const withCredentials = (path: string): string => server.url(path).replace("//", "//us%65r:p%C3%A4ss@");
    const inside = await testClient().request({ url: withCredentials("/") });
    const expected = `Basic ${Buffer.from("user:päss").toString("base64")}`;
    expect(echoed(inside.body).headers["authorization"]).toBe(expected);
    expect(inside).toMatchObject({ url: server.url("/echo"), redirects: [server.url("/")] });
    const away = await testClient().request({ url: withCredentials("/away") });
    expect(echoed(away.body).headers).not.toHaveProperty("authorization");
  });

  test("headers about the connection are not the caller's to choose", async () => {
    const server = await httpServer(echo);
    const headers = { Connection: "close", "Content-Length": "99", "Transfer-Encoding": "chunked", Upgrade: "h2c" };
    const answer = await testClient().request({ url: server.url(), headers: { ...headers, "x-own": "kept" } });
    const received = echoed(answer.body).headers;
    expect(received).toMatchObject({ connection: "keep-alive", "x-own": "kept" });
    for (const name of ["content-length", "transfer-encoding", "upgrade"]) expect(received).not.toHaveProperty(name);
  });

  test("an authorization header of the caller wins over the URL's credentials", async () => {
    const server = await httpServer(echo);
    const url = server.url().replace("//", "//user:pass@");
    const answer = await testClient().request({ url, headers: { authorization: "Bearer mine" } });
    expect(echoed(answer.body).headers["authorization"]).toBe("Bearer mine");
  });
});

describe("cookies", () => {
  test("a cookie may be as long as browsers keep it, its attributes not counted", async () => {
    const session = `session=${"x".repeat(4080)}`;
    const server = await httpServer(
      paths({
        "/": redirectTo("/echo", 302, {
          "set-cookie": [`${session}; Path=/; HttpOnly; SameSite=Lax`, `longer=${"x".repeat(4091)}`],
        }),
        "/echo": echo,
      }),
    );
    const answer = await testClient().request({ url: server.url() });
    expect(echoed(answer.body).headers["cookie"]).toBe(session);
  });

  test("live within one chain and not beyond it", async () => {
    const server = await httpServer(
      paths({
        "/login": redirectTo("/echo", 302, { "set-cookie": ["a=1", "b=2; Path=/echo", "c=3; Path=/no", "b=4"] }),
        "/echo": echo,
      }),
    );
    const client = testClient();
    const answer = await client.request({ url: server.url("/login") });
    expect(echoed(answer.body).headers["cookie"]).toBe("b=2; a=1; b=4");
    expect(echoed((await client.request({ url: server.url("/echo") })).body).headers).not.toHaveProperty("cookie");
  });

  test("of the last answer are nobody's to keep", async () => {
    const server = await httpServer((_, response) =>
      response.writeHead(200, { "set-cookie": ["a=1", "b=2"], "x-two": ["1", "2"] }).end(),
    );
    const { headers } = await testClient().request({ url: server.url() });
    expect(headers).toMatchObject({ "x-two": "1, 2" });
    expect(headers).not.toHaveProperty("set-cookie");
  });

  test("replace the caller's own of the same name", async () => {
    const server = await httpServer(
      paths({ "/": redirectTo("/echo", 302, { "set-cookie": "session=new" }), "/echo": echo }),
    );
    const answer = await testClient().request({ url: server.url(), headers: { cookie: "session=old; theme=dark" } });
    expect(echoed(answer.body).headers["cookie"]).toBe("theme=dark; session=new");
  });

  test("take the caller's own away", async () => {
    const server = await httpServer((request, response) => {
      if (request.headers.cookie?.includes("session")) {
        redirectTo("/", 302, { "set-cookie": "session=; Max-Age=0" })(request, response);
      } else echo(request, response);
    });
    const answer = await testClient().request({ url: server.url(), headers: { cookie: "session=old; theme=dark" } });
    expect(echoed(answer.body).headers["cookie"]).toBe("theme=dark");
  });

  test.each([
    ["a=1", "www.site.example", undefined],
    ["a=1; Domain=site.example", "www.site.example", "a=1"],
    ["a=1; Domain=.site.example", "deep.www.site.example", "a=1"],
    ["a=1; Domain=Site.EXAMPLE", "www.site.example", "a=1"],
    ["a=1; Domain=other.example", "other.example", undefined],
    ["a=1; Domain=example", "www.site.example", undefined],
    ["a=1; Domain=site.example; Secure", "www.site.example", undefined],
    ["a=1; Domain=site.example; Max-Age=0", "www.site.example", undefined],
    ["a=1; Domain=site.example; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "www.site.example", undefined],
    ["a=1; Domain=site.example; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "www.site.example", "a=1"],
    ["a=1; Domain=site.example; Expires=nonsense", "www.site.example", "a=1"],
    ["=1; Domain=site.example", "www.site.example", undefined],
    [`a=${"x".repeat(5000)}; Domain=site.example`, "www.site.example", undefined],
    // What is no date, and no domain, says nothing.
    ["a=1; Expires=0", "site.example", "a=1"],
    ["a=1; Expires=-1", "site.example", "a=1"],
    ["a=1; Expires=Thu, 01-Jan-70 00:00:01 GMT", "site.example", undefined],
    ["a=1; Expires=Thu Jan  1 00:00:01 1970", "site.example", undefined],
    ["a=1; Domain=", "site.example", "a=1"],
    ["a=1; Domain=", "sub.site.example", undefined],
  ])("%s set on site.example, then asked for by %s: %s", async (cookie, host, expected) => {
    const server = await httpServer((request, response) => {
      if (request.url === "/echo") echo(request, response);
      else redirectTo(server.url("/echo", host), 302, { "set-cookie": cookie })(request, response);
    });
    const answer = await testClient().request({ url: server.url("/", "site.example") });
    expect(echoed(answer.body).headers["cookie"]).toBe(expected);
  });

  test.each<[cookie: string, from: string, to: string, expected: string | undefined]>([
    ["a=1; Secure", "https://site.example/", "https://site.example/", "a=1"],
    ["a=1; Secure", "https://site.example/", "http://site.example/", undefined],
    ["a=1; Secure", "http://site.example/", "https://site.example/", undefined],
    ["a=1; Path=/docs", "http://site.example/", "http://site.example/docs/x", "a=1"],
    ["a=1; Path=/docs", "http://site.example/", "http://site.example/docs-old", undefined],
    // The name of a public suffix may be a host itself, with a cookie of its own.
    ["a=1; Domain=github.io", "http://github.io/", "http://github.io/", "a=1"],
    ["a=1; Domain=github.io", "http://github.io/", "http://one.github.io/", undefined],
    ["a=1; Domain=github.io", "http://one.github.io/", "http://github.io/", undefined],
    // The end of an address is no domain.
    ["a=1; Domain=2.3", "http://198.51.2.3/", "http://203.0.2.3/", undefined],
    ["a=1; Domain=198.51.2.3", "http://198.51.2.3/", "http://198.51.2.3/", "a=1"],
    // Names that promise where a cookie comes from.
    ["__Secure-a=1; Secure", "https://site.example/", "https://site.example/", "__Secure-a=1"],
    ["__Secure-a=1", "https://site.example/", "https://site.example/", undefined],
    ["__Host-a=1; Secure; Path=/", "https://site.example/", "https://site.example/", "__Host-a=1"],
    ["__Host-a=1; Secure; Path=/; Domain=site.example", "https://a.site.example/", "https://site.example/", undefined],
    ["__host-a=1; Secure", "https://site.example/", "https://site.example/", undefined],
  ])("%s set by %s, then asked for by %s: %s", (cookie, from, to, expected) => {
    const jar = new CookieJar();
    jar.store([cookie], new URL(from));
    expect(cookieHeader(jar, new URL(to), undefined)).toBe(expected);
  });

  test("for a public suffix reach nobody else", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/echo") echo(request, response);
      else redirectTo(server.url("/echo", "two.co.uk"), 302, { "set-cookie": "a=1; Domain=co.uk" })(request, response);
    });
    const answer = await testClient().request({ url: server.url("/", "one.co.uk") });
    expect(echoed(answer.body).headers).not.toHaveProperty("cookie");
  });

  test("in any number do not swell the request", async () => {
    const many = Array.from({ length: 500 }, (_, index) => `c${index}=1`);
    const server = await httpServer(paths({ "/": redirectTo("/echo", 302, { "set-cookie": many }), "/echo": echo }));
    const answer = await testClient().request({ url: server.url() });
    expect(echoed(answer.body).headers["cookie"]?.split(";")).toHaveLength(64);
  });

  test("may be changed when there are as many as are kept", async () => {
    const many = Array.from({ length: 64 }, (_, index) => `c${index}=1`);
    const changed = redirectTo("/echo", 302, { "set-cookie": ["c9=2", "late=1"] });
    const server = await httpServer(
      paths({ "/": redirectTo("/next", 302, { "set-cookie": many }), "/next": changed, "/echo": echo }),
    );
    const answer = await testClient().request({ url: server.url() });
    const cookies = echoed(answer.body).headers["cookie"]?.split("; ");
    expect(cookies).toHaveLength(64);
    expect(cookies).toContain("c9=2");
  });

  test("of a page at the top of a site are those of the whole site", async () => {
    const changed = redirectTo("/echo", 302, { "set-cookie": "a=2; Path=/" });
    const server = await httpServer(
      paths({ "/": redirectTo("/next", 302, { "set-cookie": "a=1" }), "/next": changed, "/echo": echo }),
    );
    const answer = await testClient().request({ url: server.url() });
    expect(echoed(answer.body).headers["cookie"]).toBe("a=2");
  });
});
