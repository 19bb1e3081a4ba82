import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAddressGuard } from "../src/fetch/address-guard.ts";
import type { HostAddress } from "../src/network-options.ts";
import { failure } from "./failure.ts";
import { httpServer, redirectTo, testClient, text } from "./network-server.ts";

const answering =
  (...addresses: string[]) =>
  async (): Promise<HostAddress[]> =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

async function addressesOf(guard: ReturnType<typeof createAddressGuard>, host: string): Promise<string[]> {
  return (await guard.resolve(host)).map(({ address }) => address);
}

describe("addresses that are not public", () => {
  const refused = [
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
    ...[
      "168.63.129.16",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.1",
      "192.0.2.1",
      "192.88.99.1",
      "192.168.1.1",
    ],
    ...["198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255"],
    ...["240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.1.2.3", "::127.0.0.1", "::ffff:0:127.0.0.1"],
    ...["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "64:ff9b:1::8.8.8.8", "100::1"],
    ...["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"],
    ...["2002:7f00:1::", "2002:a00:1::1", "2002:808:808::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1"],
    ...["fe80::1", "fe80::1%lo", "febf::1", "fec0::1", "ff02::1"],
  ];

  test.each(refused)("%s is refused as an answer to a name", async (address) => {
    const guard = createAddressGuard({ lookup: answering(address) });
    expect(await failure(guard.resolve("site.test"))).toMatchObject({ code: "FORBIDDEN_ADDRESS", statusCode: 403 });
  });

  test.each(refused)("%s is refused as a literal", async (address) => {
    const guard = createAddressGuard({ lookup: answering("93.184.216.34") });
    expect(await failure(guard.resolve(address))).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  });

  test("the message names the host and the option that permits it, not the address found", async () => {
    const guard = createAddressGuard({ lookup: answering("10.11.12.13") });
    const { message } = await failure(guard.resolve("wiki.example"));
    expect(message).toContain("wiki.example");
    expect(message).toContain("network.allowHosts");
    expect(message).not.toContain("10.11.12.13");
  });
});

describe("addresses that are public", () => {
  test.each(["8.8.8.8", "93.184.216.34", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.255"])(
    "%s is permitted",
    async (address) => {
      expect(await addressesOf(createAddressGuard({ lookup: answering(address) }), "site.test")).toEqual([address]);
    },
  );

  test.each(["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])(
    "%s is permitted",
    async (address) => {
      expect(await addressesOf(createAddressGuard(), address)).toEqual([address]);
      expect(await addressesOf(createAddressGuard(), `[${address}]`)).toEqual([address]);
    },
  );

  test("of several answers only the permitted ones are given", async () => {
    const guard = createAddressGuard({ lookup: answering("10.0.0.1", "8.8.8.8", "::1", "2606:4700:4700::1111") });
    expect(await addressesOf(guard, "site.test")).toEqual(["8.8.8.8", "2606:4700:4700::1111"]);
  });
});

describe("odd spellings in URLs", () => {
  test.each([
    ...["http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://0x7f.0.1/"],
    ...["http://127.0.0.1./", "http://①②⑦.⓪.⓪.①/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:127.0.0.1]/"],
    ...["http://0/", "http://[::]/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/"],
    ...["http://user@127.0.0.1/", "http://8.8.8.8@127.0.0.1/", "http://%31%32%37.0.0.1/", "http://169.254.169.254/"],
  ])("%s is not reached", async (url) => {
    const client = testClient({ allowPrivateAddresses: false });
    expect(await failure(client.request({ url }))).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  });
});

describe("allowHosts", () => {
  const lookup = answering("10.1.2.3");
  test.each([
    ["wiki.example", "wiki.example", true],
    ["wiki.example", "WIKI.EXAMPLE.", true],
    [" wiki.example ", "wiki.example", true],
    ["wiki.example", "sub.wiki.example", false],
    ["*.example", "wiki.example", true],
    ["*.example", "a.b.example", true],
    ["*.wiki.example", "wiki.example", false],
    ["*.wiki.example", "evilwiki.example", false],
    ["bücher.example", "xn--bcher-kva.example", true],
    ["10.1.2.3", "any.example", true],
    ["10.1.2.2", "any.example", false],
    ["10.1.2.4", "any.example", false],
    ["fd00::2", "fd00::3", false],
    ["10.0.0.0/8", "any.example", true],
    ["192.168.0.0/16", "any.example", false],
    ["10.0.0.0/8", "::ffff:10.9.9.9", true],
    ["fd00::/8", "fd00::1", true],
    ["[::1]", "::1", true],
    ["::1", "127.0.0.1", false],
  ])("%s for %s: %s", async (entry, host, permitted) => {
    const outcome = createAddressGuard({ lookup, allowHosts: [entry] }).resolve(host);
    if (permitted) expect(await outcome).toHaveLength(1);
    else expect(await failure(outcome)).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  });

  test.each(["", "a b", "http://x.example", "x.example/path", "x.example:80", "*", "a.*.example", "10.0.0.0/64"])(
    "%j is no entry",
    (entry) => {
      expect(() => createAddressGuard({ allowHosts: ["ok.example", entry] })).toThrow(/allowHosts\[1\]/);
    },
  );
});

describe("names that do not resolve", () => {
  const notFound = async (): Promise<never> => {
    throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
  };
  test.each([
    ["rejects", notFound],
    ["is empty", answering()],
    ["holds a name instead of an address", answering("localhost")],
    ["is no list", async () => undefined as unknown as HostAddress[]],
  ])("the answer %s", async (_, lookup) => {
    const client = testClient({ lookup });
    const error = await failure(client.request({ url: "http://gone.example/" }));
    expect(error).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR", retryable: false });
    expect(error.message).toContain("gone.example");
  });

  test("a resolver that does not answer within ten seconds may be asked again", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const guard = createAddressGuard({ lookup: () => new Promise(() => {}) });
    const outcome = failure(guard.resolve("slow.example"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR", retryable: true });
  });

  test("a resolver that is overloaded may be asked again", async () => {
    const lookup = async (): Promise<never> => {
      throw Object.assign(new Error("later"), { code: "EAI_AGAIN" });
    };
    expect(await failure(createAddressGuard({ lookup }).resolve("a.example"))).toMatchObject({ retryable: true });
  });

  test("a resolver that never answers ends with the signal", async () => {
    const reason = new Error("enough");
    const client = testClient({ lookup: () => new Promise(() => {}) });
    const signal = AbortSignal.timeout(20);
    expect(await failure(client.request({ url: "http://slow.example/", signal }))).toBe(signal.reason);
    const guard = createAddressGuard({ lookup: () => new Promise(() => {}) });
    expect(await failure(guard.resolve("slow.example", AbortSignal.abort(reason)))).toBe(reason);
  });
});

describe("the address that is connected to", () => {
  test("a redirect to a private address is refused, by literal and by name", async () => {
    const inside = await httpServer((_, response) => response.end("secret"));
    const outside = await httpServer((request, response) => {
      redirectTo(request.url === "/literal" ? inside.url() : inside.url("/", "inside.test"))(request, response);
    });
    const client = testClient({
      allowPrivateAddresses: false,
      allowHosts: ["outside.test"],
    });
    for (const path of ["/literal", "/name"]) {
      expect(await failure(client.request({ url: outside.url(path, "outside.test") }))).toMatchObject({
        code: "FORBIDDEN_ADDRESS",
      });
    }
    expect(inside.sockets.opened).toBe(0);
  });

  test("a name that turns private between two look-ups is refused", async () => {
    const server = await httpServer((_, response) => response.writeHead(200, { connection: "close" }).end("ok"));
    let asked = 0;
    const client = testClient({
      allowPrivateAddresses: false,
      allowHosts: ["127.0.0.1"], // stands for a public address
      lookup: async () => [{ address: ++asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
    });
    const url = server.url("/", "rebinding.test");
    expect(text((await client.request({ url })).body)).toBe("ok");
    expect(await failure(client.request({ url }))).toMatchObject({ code: "FORBIDDEN_ADDRESS" });
    expect(asked).toBe(2);
  });

  test("with public and private answers, only the public one is connected to", async () => {
    const server = await httpServer((_, response) => response.end("public"));
    const client = testClient({
      allowPrivateAddresses: false,
      allowHosts: ["127.0.0.1"],
      lookup: answering("127.0.0.2", "127.0.0.1"),
    });
    expect(text((await client.request({ url: server.url("/", "two.test") })).body)).toBe("public");
  });
});
