/** Reads robots.txt according to RFC 9309, and also its Crawl-delay and Sitemap lines. */

import { markedEncoding } from "./encoding-mark.ts";
import { compileRobotsRules, type RobotsRule } from "./robots-rules.ts";

export interface RobotsRules {
  /** `url`: absolute, or a path with its query. `userAgent`: a product token, or a whole User-Agent header. */
  isAllowed(url: string, userAgent: string): boolean;
  /** Seconds to wait between requests, at most {@link maxCrawlDelay}; undefined when the file asks for none. */
  crawlDelay(userAgent: string): number | undefined;
  /** URLs of the file's `Sitemap` lines, as written. */
  readonly sitemaps: readonly string[];
}

/** Longer delays are cut to this many seconds: a crawl of a thousand pages should end within a day. */
export const maxCrawlDelay = 30;

/** The rest of a longer file is not read. RFC 9309 asks for at least 500 KiB. */
export const maxRobotsBytes = 512 * 1024;
const maxSitemaps = 1000;

interface Group {
  readonly agents: Set<string>;
  readonly rules: RobotsRule[];
  crawlDelay?: number;
}

interface AgentRules {
  readonly allows: (path: string) => boolean;
  readonly crawlDelay: number | undefined;
}

/** Rules that allow everything. */
export const noRobotsRules: RobotsRules = { isAllowed: () => true, crawlDelay: () => undefined, sitemaps: [] };

/**
 * The rules of an answer to `/robots.txt`. Only a 2xx answer has any: 4xx means that there is no file, and a server that
 * fails or cannot be reached is not taken for one that forbids (RFC 9309 would allow that reading too, but then a
 * passing failure would empty a crawl without an error).
 *
 * @param isWhole false: more was to come
 */
export function robotsOfAnswer(statusCode: number, body: Uint8Array | string, isWhole = true): RobotsRules {
  return statusCode >= 200 && statusCode < 300 ? parseRobots(body, isWhole) : noRobotsRules;
}

/**
 * Parses a robots.txt. Never throws: meaningless lines are skipped, and an HTML page has no rules.
 *
 * @example
 * const robots = parseRobots("User-agent: *\nDisallow: /private/\nCrawl-delay: 2");
 * robots.isAllowed("https://example.com/private/a", "crawlcore"); // false
 * robots.crawlDelay("crawlcore"); // 2
 */
export function parseRobots(body: Uint8Array | string, isWhole = true): RobotsRules {
  const text = readText(body, isWhole);
  if (text.trimStart().startsWith("<")) return noRobotsRules;
  const { groups, sitemaps } = readGroups(text);
  const byAgent = new Map<string, AgentRules>();

  function rulesFor(userAgent: string): AgentRules {
    const agent = productToken(userAgent);
    let rules = byAgent.get(agent);
    if (rules === undefined) {
      const named = groups.filter((group) => group.agents.has(agent));
      const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.has("*"));
      rules = {
        allows: compileRobotsRules(chosen.flatMap((group) => group.rules)),
        crawlDelay: chosen.find((group) => group.crawlDelay !== undefined)?.crawlDelay,
      };
      byAgent.set(agent, rules);
    }
    return rules;
  }

  return {
    isAllowed(url, userAgent) {
      const path = pathOf(url);
      return path === "/robots.txt" || rulesFor(userAgent).allows(path);
    },
    crawlDelay: (userAgent) => rulesFor(userAgent).crawlDelay,
    sitemaps,
  };
}

/**
 * The name a robot goes by in robots.txt, in lower case: the product before the first version number, or the one inside
 * `(compatible; …)`.
 *
 * @example
 * productToken("Mozilla/5.0 (compatible; ExampleBot/1.2; +https://example.com)"); // "examplebot"
 */
export function productToken(userAgent: string): string {
  const compatible = /\(compatible;\s*([\w-]+)/i.exec(userAgent)?.[1];
  return (compatible ?? /^\s*([\w-]+)/.exec(userAgent)?.[1] ?? userAgent).toLowerCase();
}

function readText(body: Uint8Array | string, isWhole: boolean): string {
  const whole = isWhole && body.length <= maxRobotsBytes;
  // A byte-order mark is white space to all that follows.
  const text =
    typeof body === "string"
      ? body.slice(0, maxRobotsBytes)
      : new TextDecoder(markedEncoding(body)).decode(body.subarray(0, maxRobotsBytes));
  // A truncated line would forbid more than was written: "Disallow: /" instead of "Disallow: /private".
  return whole ? text : text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let namesAgents = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const hash = line.indexOf("#");
    const content = hash < 0 ? line : line.slice(0, hash);
    const colon = content.indexOf(":");
    if (colon < 0) continue;
    const field = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (field === "user-agent") {
      if (group === undefined || !namesAgents) {
        group = { agents: new Set(), rules: [] };
        groups.push(group);
      }
      namesAgents = true;
      group.agents.add(value.startsWith("*") ? "*" : productToken(value));
    } else if (field === "allow" || field === "disallow") {
      namesAgents = false;
      if (value !== "") group?.rules.push({ allow: field === "allow", pattern: value });
    } else if (field === "crawl-delay") {
      namesAgents = false;
      const seconds = Number(value);
      if (group !== undefined && value !== "" && seconds >= 0) group.crawlDelay ??= Math.min(seconds, maxCrawlDelay);
    } else if (field === "sitemap" && value !== "" && sitemaps.length < maxSitemaps) {
      sitemaps.push(value);
    }
  }
  return { groups, sitemaps };
}

function pathOf(url: string): string {
  const hash = url.indexOf("#");
  const address = hash < 0 ? url : url.slice(0, hash);
  if (address.startsWith("/")) return address;
  const host = address.indexOf("://") + 3;
  const start = address.slice(host).search(/[/?]/);
  if (start < 0) return "/";
  const path = address.slice(host + start);
  return path.startsWith("/") ? path : `/${path}`;
}
