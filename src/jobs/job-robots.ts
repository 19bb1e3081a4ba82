/** The robots.txt files of the hosts that one job meets. */

import { ByteList } from "../fetch/byte-list.ts";
import { maxRobotsBytes, noRobotsRules, type RobotsRules, robotsOfAnswer } from "../frontier/robots.ts";
import type { HttpStreamResponse } from "../ports/http-client.ts";

export interface JobRobots {
  /** Reads the robots.txt of the URL's host, unless it has been read. Rejects only with the signal's reason. */
  load(url: string, signal: AbortSignal): Promise<void>;
  /** True for a host whose file has not been read yet: the page is checked again before it is fetched. */
  isAllowed(url: string): boolean;
  /** In seconds. */
  crawlDelay(url: string): number | undefined;
  sitemaps(url: string): readonly string[];
}

/** Fetches one file. */
export type Ask = (url: string, signal: AbortSignal) => Promise<HttpStreamResponse>;

/** Most milliseconds for fetching robots.txt. */
const robotsTimeoutMs = 10_000;

/**
 * Bytes of robots.txt files whose rules a job keeps. It may meet thousands of hosts, each with half a megabyte, which
 * takes six times as much as parsed rules. Rules that were dropped are read again for the next page of their host.
 */
const mostKeptBytes = 8 * 1024 * 1024;

/** The rules of a host, and the size of its file. */
interface HostRules {
  readonly rules: RobotsRules;
  readonly bytes: number;
}

export function createJobRobots(ask: Ask, userAgent: string): JobRobots {
  const known = new Map<string, HostRules>();
  let keptBytes = 0;
  const loading = new Map<string, Promise<void>>();
  let lastOrigin = "";
  /** Remembers the last origin: most jobs concern one, and ask several times for each page. */
  function originOf(url: string): string {
    if (lastOrigin === "" || !url.startsWith(`${lastOrigin}/`)) lastOrigin = new URL(url).origin;
    return lastOrigin;
  }
  const rulesOf = (url: string) => known.get(originOf(url))?.rules ?? noRobotsRules;

  async function read(origin: string, signal: AbortSignal): Promise<void> {
    const found = await fetchRobots(ask, origin, signal);
    known.set(origin, found);
    loading.delete(origin);
    keptBytes += found.bytes;
    for (const [oldest, { bytes }] of known) {
      if (keptBytes <= mostKeptBytes) break;
      known.delete(oldest);
      keptBytes -= bytes;
    }
  }

  return {
    async load(url, signal) {
      const origin = originOf(url);
      if (known.has(origin)) return;
      const present = loading.get(origin) ?? read(origin, signal);
      loading.set(origin, present);
      await present;
      signal.throwIfAborted();
    },
    isAllowed: (url) => rulesOf(url).isAllowed(url, userAgent),
    crawlDelay: (url) => rulesOf(url).crawlDelay(userAgent),
    sitemaps: (url) => rulesOf(url).sitemaps,
  };
}

async function fetchRobots(ask: Ask, origin: string, signal: AbortSignal): Promise<HostRules> {
  try {
    const timeout = AbortSignal.timeout(robotsTimeoutMs);
    const answer = await ask(`${origin}/robots.txt`, AbortSignal.any([signal, timeout]));
    const { bytes, isWhole } = await beginningOf(answer.body, maxRobotsBytes);
    const rules = robotsOfAnswer(answer.statusCode, bytes, isWhole);
    return { rules, bytes: rules === noRobotsRules ? 0 : bytes.byteLength };
  } catch {
    // A file that cannot be fetched forbids nothing; if something is wrong with the host, the pages will show it.
    return { rules: noRobotsRules, bytes: 0 };
  }
}

/** The beginning of a body. If the body breaks off, or does not end in time, what has come counts. */
async function beginningOf(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const read = new ByteList();
  let isWhole = true;
  try {
    for await (const chunk of body) {
      read.add(chunk);
      if (read.byteLength > most) break;
    }
  } catch {
    isWhole = false;
  }
  return { bytes: read.toBuffer(), isWhole };
}
