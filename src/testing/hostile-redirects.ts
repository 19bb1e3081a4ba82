/** Hostile behaviours with redirects. */
import { htmlPage, number } from "./hostile-page.ts";
import type { TestHandler } from "./test-site-answer.ts";

const to = (location: string, headers: Record<string, string> = {}, status = 302) => ({
  status,
  headers: { location, ...headers },
  body: "",
});

export const redirects = {
  redirect: (exchange) => {
    const hops = number(exchange, 0, 1);
    return hops > 0 ? to(`/redirect/${hops - 1}`) : htmlPage("End of the redirects");
  },
  "redirect-loop": (exchange) => to(exchange.segments[0] === "back" ? "/redirect-loop" : "/redirect-loop/back"),
  /** Every hop is a new URL, so that only a limit ends it. */
  "redirect-forever": (exchange) => to(`/redirect-forever/${number(exchange, 0, 0) + 1}`),
  "redirect-to": ({ url }) =>
    to(url.searchParams.get("url") ?? "/page/1", {}, Number(url.searchParams.get("status") ?? 302)),
  "redirect-without-location": () => ({ status: 302, body: htmlPage("Nowhere to go") }),
  /** Shows the page only to a client that brings the cookie back. */
  "cookie-wall": (exchange) =>
    exchange.request.headers.cookie?.includes("seen=yes")
      ? htmlPage("Behind the cookie wall")
      : to(exchange.url.pathname, { "set-cookie": "seen=yes; Path=/; HttpOnly" }),
} satisfies Record<string, TestHandler>;
