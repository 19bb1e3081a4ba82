/** One running browser: started or connected to, and reliably ended. */

import { readdirSync, readFileSync } from "node:fs";
import type { Browser, LaunchOptions } from "playwright";
import { RequestError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { errorText } from "../../shared/error-text.ts";
import { withBoundedMessages } from "./bounded-messages.ts";
import { type BrowserSource, isExecutable } from "./find-browser.ts";
import { launchFlags, throughLoopback } from "./launch-flags.ts";
import { removeLeftFiles } from "./left-files.ts";

export interface RunningBrowser {
  readonly browser: Browser;
  readonly startedAt: number;
  /** It was started here, so its contexts end with it. */
  readonly isOurs: boolean;
  /** Bytes that the browser's processes occupy; 0 if that cannot be determined. */
  memory(): number;
  /** Closes it, and kills it if necessary. A browser that the host owns is only released. */
  close(): Promise<void>;
  /** Ends it by force, at once. */
  kill(): void;
}

const launchTimeoutMs = 30_000;
const ownBrowserGone = "The browser given as browser.browser has been closed, or has crashed; give one that runs";
/** How long a browser may take to close by itself. */
const closeTimeoutMs = 5_000;
/**
 * In Playwright's message. About one start in 300 ends so: one thread of Chromium reads the environment while another
 * writes to it.
 */
const diedOfItself = /exitCode=null, signal=SIG(?:SEGV|BUS|ILL|ABRT|TRAP)/;

/** @param deadEnd address of a proxy that refuses everything, for requests that belong to no context */
export async function openBrowser(source: BrowserSource, deadEnd: string, logger: Logger): Promise<RunningBrowser> {
  if (source.kind === "owned") {
    if (!source.browser.isConnected()) throw new RequestError("UNSUPPORTED", ownBrowserGone);
    return running(source.browser, undefined, async () => {});
  }
  if (source.kind === "endpoint") {
    const browser = await connect(source.chromium, source.endpoint);
    return running(browser, undefined, () => browser.close());
  }
  const begun = Date.now();
  const browser = await launch(source, deadEnd, logger);
  return running(browser, await processOf(browser), () => browser.close().finally(() => removeLeftFiles(begun)));
}

async function connect(chromium: Extract<BrowserSource, { kind: "endpoint" }>["chromium"], endpoint: string) {
  const options = { timeout: launchTimeoutMs };
  // A Playwright server has its own protocol; all others use the DevTools protocol.
  const isPlaywrightServer = /^wss?:/i.test(endpoint) && !/\/devtools\//.test(endpoint);
  try {
    return await (isPlaywrightServer
      ? chromium.connect(endpoint, options)
      : chromium.connectOverCDP(endpoint, options));
  } catch (error) {
    // Playwright's message contains the whole address, often with a key in it, and callers may see the message.
    const host = URL.parse(endpoint)?.host ?? "the endpoint";
    const reason = /\b(?:E[A-Z]{4,}|Timeout \d+ms exceeded|Unexpected (?:server response|status):? \d+)\b/.exec(
      errorText(error),
    )?.[0];
    const why = reason === undefined ? "" : `: ${reason}`;
    throw new RequestError("UNSUPPORTED", `The browser at ${host} could not be reached${why}`, { cause: error });
  }
}

async function launch(
  source: Extract<BrowserSource, { kind: "launch" }>,
  deadEnd: string,
  logger: Logger,
): Promise<Browser> {
  const path = await source.executablePath?.();
  // Playwright leaves folders behind when there is nothing to start.
  if (path !== undefined && !isExecutable(path)) {
    throw new RequestError("UNSUPPORTED", `The browser ${source.name} could not be started: there is no such program`);
  }
  const options: LaunchOptions = {
    ...(path === undefined ? {} : { executablePath: path }),
    ...(source.channel === undefined ? {} : { channel: source.channel }),
    args: [...launchFlags, ...source.flags],
    proxy: { server: deadEnd, bypass: throughLoopback },
    // The signals belong to the host program. A browser ends with the process in any case: its pipe is closed.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: launchTimeoutMs,
  };
  // Chromium refuses to be sandboxed as root.
  let chromiumSandbox = process.getuid?.() !== 0;
  for (let crashes = 0; ; ) {
    try {
      return await withBoundedMessages(deadEnd, () => source.chromium.launch({ ...options, chromiumSandbox }));
    } catch (error) {
      const text = errorText(error);
      if (chromiumSandbox && /sandbox/i.test(text)) {
        chromiumSandbox = false;
        logger.warn("No sandbox is available here; the browser is started without it", { browser: source.name });
      } else if (diedOfItself.test(text) && crashes === 0) {
        crashes += 1;
        logger.warn("The browser crashed while it started; it is started once more", { browser: source.name });
      } else {
        throw new RequestError("UNSUPPORTED", `The browser ${source.name} could not be started: ${firstLine(text)}`, {
          cause: error,
        });
      }
    }
  }
}

function firstLine(text: string): string {
  return text.slice(0, 300).split("\n", 1)[0] ?? "";
}

/** Playwright does not expose the process id of a browser, but the browser tells it. */
async function processOf(browser: Browser): Promise<number | undefined> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return processInfo.find(({ type }) => type === "browser")?.id;
  } catch {
    return undefined;
  }
}

function running(browser: Browser, pid: number | undefined, end: () => Promise<void>): RunningBrowser {
  let closed: Promise<void> | undefined;
  const kill = (): void => {
    if (pid === undefined || !browser.isConnected()) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  };
  return {
    browser,
    startedAt: Date.now(),
    isOurs: pid !== undefined,
    memory: () => (pid === undefined ? 0 : memoryOfTree(pid)),
    kill,
    close() {
      closed ??= new Promise((resolve) => {
        const timer = setTimeout(kill, closeTimeoutMs);
        end()
          .catch(() => {})
          .finally(() => {
            clearTimeout(timer);
            resolve();
          });
      });
      return closed;
    },
  };
}

/** Resident bytes of a process and all below it, from the process file system of Linux; 0 elsewhere. */
function memoryOfTree(root: number): number {
  let processes: Status[];
  try {
    processes = readdirSync("/proc").flatMap((entry) => (/^\d+$/.test(entry) ? statusOf(entry) : []));
  } catch {
    return 0;
  }
  const children = Map.groupBy(processes, ({ parent }) => parent);
  let pages = 0;
  for (const open = processes.filter(({ id }) => id === root); open.length > 0; ) {
    const one = open.pop()!;
    pages += one.pages;
    open.push(...(children.get(one.id) ?? []));
  }
  return pages * 4096;
}

interface Status {
  readonly id: number;
  readonly parent: number;
  readonly pages: number;
}

/** Nothing for a process that has ended meanwhile. */
function statusOf(id: string): Status[] {
  try {
    // The second field is a name in parentheses, which may hold anything.
    const stat = readFileSync(`/proc/${id}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ id: Number(id), parent: Number(fields[1]), pages: Number(fields[21]) }];
  } catch {
    return [];
  }
}
