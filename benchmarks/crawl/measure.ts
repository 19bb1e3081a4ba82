/** Measures a crawl inside its own process: time, CPU of all threads, memory, delay of the event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface Measured {
  readonly pages: number;
  /** Characters of markdown, and links, over all pages: they show that the contenders did comparable work. */
  readonly characters: number;
  readonly links: number;
  readonly seconds: number;
  /** Milliseconds, all threads. */
  readonly cpu: number;
  /** Megabytes. */
  readonly peakRss: number;
  /**
   * Milliseconds, as reported by `monitorEventLoopDelay` with its default sampling of 10 ms, which is not subtracted.
   */
  readonly loopDelay: number;
  /** Megabytes after every hundred pages. */
  readonly rss: readonly number[];
}

const megabyte = 1024 * 1024;

/** Runs a crawl that reports each page it has converted. */
export async function measure(
  crawl: (page: (markdown: string, links: number) => void) => Promise<void>,
): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const rss: number[] = [];
  let pages = 0;
  let characters = 0;
  let links = 0;
  delay.enable();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await crawl((markdown, count) => {
    characters += markdown.length;
    links += count;
    if (++pages % 100 === 0) rss.push(Math.round(process.memoryUsage.rss() / megabyte));
  });
  const seconds = (performance.now() - started) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  delay.disable();
  return {
    pages,
    characters,
    links,
    seconds,
    cpu: (cpu.user + cpu.system) / 1000,
    peakRss: Math.round(process.resourceUsage().maxRSS / 1024),
    loopDelay: delay.percentile(99) / 1e6,
    rss,
  };
}
