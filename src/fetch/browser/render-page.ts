/** Handles one request in one tab: opens the page, lets it come to rest, carries out actions, and reads the result. */
import { setTimeout as sleep } from "node:timers/promises";
import { CrawlcoreError, ScrapeError } from "../../errors.ts";
import type { ActionResults, FetchRequest, FetchResponse } from "../../ports/fetcher.ts";
import { STATUS_CODES } from "../node-http.ts";
import { readSignals } from "../page-signals.ts";
import { noResults, runActions } from "./actions.ts";
import { passChallenge } from "./challenge.ts";
import { helpOn } from "./dead-connections.ts";
import { type DeadEnds, watchDeadEnds } from "./dead-ends.ts";
import { navigationError } from "./navigation-errors.ts";
import { saysItIsGone } from "./open-tab.ts";
import type { MainDocument } from "./page-traffic.ts";
import { createPassRefreshes, type PassRefreshes } from "./refreshes.ts";
import { restless } from "./restless.ts";
import { createTakePicture, type TakePicture } from "./screenshots.ts";
import { type Network, watchNetwork } from "./settle.ts";
import type { Tab } from "./tabs.ts";
import { takeHtml } from "./take-html.ts";
import { type Ending, showsText, waitForEnd } from "./wait-for-end.ts";

interface RenderOptions {
  readonly allowScripts: boolean;
  readonly maxBodyBytes: number;
  /** Called when the page has come to rest, to remove what covers it. */
  readonly onRest?: ((tab: Tab) => Promise<void>) | undefined;
}

/** The page is at rest when there has been no request for this time. */
const quietMs = 250;
/** Most time given to a page that never rests. */
const restLimitMs = 4_000;
/** The share of the time that a page may take that does not finish loading, or does not come to rest. */
const partOfTime = 0.4;
const usualTimeoutMs = 30_000;
/** Most milliseconds that a connection may be silent while the page waits for it. */
const maxSilentMs = 2_000;
/** A page of scripts with hardly any text is given more time: it may be waiting for a timer. */
const emptyPageLimitMs = 1_500;

const readAttempts = 10;

/** In characters. A page with less text that offers a download is only the way to that file. */
const hardlyAnyText = 200;

const endingWarnings: Readonly<Record<Exclude<Ending, "whole">, string>> = {
  open: "The page did not load to its end; this is what it showed.",
  helped: "Something that the page waited for did not come; this is the page without it.",
};

/** Headers about the bytes that were sent, which do not apply to the rendered page. */
const ofTheBytes: ReadonlySet<string> = new Set(["content-encoding", "content-length", "etag", "last-modified"]);

type Answer = Omit<FetchResponse, "proxyUsed">;

/** Rejects with a `ScrapeError`, with the error of the address guard, or with the signal's reason. */
export async function renderPage(tab: Tab, request: FetchRequest, options: RenderOptions): Promise<Answer> {
  const network = watchNetwork(tab.page);
  const deadEnds = watchDeadEnds(tab);
  try {
    return await render(tab, request, options, { network, deadEnds });
  } finally {
    network.stop();
    deadEnds.stop();
  }
}

interface Watchers {
  readonly network: Network;
  readonly deadEnds: DeadEnds;
}

async function render(
  tab: Tab,
  request: FetchRequest,
  options: RenderOptions,
  { network, deadEnds }: Watchers,
): Promise<Answer> {
  const file = await open(tab, request.url);
  if (file && tab.page.url() === "about:blank") return answerOfFile(file, request);
  const { passRefreshes, takePicture, warnings } = await comeToRest(tab, request, network);
  await options.onRest?.(tab);

  let actions: ActionResults | undefined;
  if (request.actions.length > 0) {
    const { signal, awaits } = request;
    const parts = { tab, network, passRefreshes, takePicture, signal, awaits, ...options };
    const done = await runActions(request.actions, parts);
    actions = done.results;
    warnings.push(...done.warnings);
  }
  const deadEnd = deadEnds.failure();
  if (deadEnd !== undefined) throw deadEnd;
  const picture = request.screenshot && (await takePicture(request.screenshot));
  if (picture?.warning !== undefined) warnings.push(picture.warning);
  const answer = await readAnswer(tab, file, deadEnds, options.maxBodyBytes, request.signal);
  const extras = { ...(actions ? { actions } : {}), ...(picture ? { screenshot: picture.bytes } : {}) };
  return answerOf({ ...answer, ...extras, warnings });
}

/** The address leads to a file, in place of which the browser shows nothing. */
function answerOfFile(file: MainDocument, { screenshot, actions }: FetchRequest): Answer {
  const isPageAsked = screenshot !== undefined || actions.length > 0;
  return answerOf({
    ...fileAnswer(file),
    // Callers who asked for actions find their lists, though empty.
    ...(actions.length > 0 ? { actions: noResults() } : {}),
    warnings: isPageAsked
      ? ["The address leads to a file, not a page: no pictures were taken and no actions done."]
      : [],
  });
}

/** Waits until the page shows what it has to show, and helps it on if need be. */
async function comeToRest(
  tab: Tab,
  request: FetchRequest,
  network: Network,
): Promise<{ passRefreshes: PassRefreshes; takePicture: TakePicture; warnings: string[] }> {
  const { signal } = request;
  const warnings: string[] = [];
  const share = (request.timeout ?? usualTimeoutMs) * partOfTime;
  const ending = await waitForEnd(tab, share, signal);
  if (ending !== "whole") warnings.push(endingWarnings[ending]);
  if (ending === "open") {
    // Requests that were waited for in vain once are not waited for again after each action.
    await tab.session.send("Page.stopLoading");
    network.forget();
  }
  const limit = Math.min(restLimitMs, share);
  const passRefreshes = createPassRefreshes(tab, network, { totalMs: share, signal });
  const rests = await network.quiet(quietMs, limit, signal);
  // One that has not come to rest now will hardly do so for its pictures.
  const pictureLimit = Math.min(rests ? restLimitMs : restLimitMs / 4, share / 2);
  const takePicture = createTakePicture(tab, network, { totalMs: pictureLimit, signal });
  await passChallenge(tab, network, { limitMs: share, quietMs, signal });
  // One that leads on sooner does not come to rest.
  if (rests) await passRefreshes({ limitMs: limit, quietMs });
  const textLimit = Math.min(limit, emptyPageLimitMs);
  await Promise.all([
    request.waitFor > 0 ? sleep(request.waitFor, undefined, { signal }) : undefined,
    waitForText(tab, network, textLimit, signal),
  ]);
  const isSeen = request.screenshot !== undefined || request.actions.length > 0;
  const silentMs = Math.min(maxSilentMs, limit / 2);
  if (!rests && (await helpOn(tab, { isSeen, silentMs, signal }))) {
    warnings.push(endingWarnings.helped);
    await network.quiet(quietMs, limit, signal);
    await waitForText(tab, network, textLimit, signal);
  }
  return { passRefreshes, takePicture, warnings };
}

/** The page as it is now, or the file to which it was only the way. */
async function readAnswer(
  tab: Tab,
  file: MainDocument | undefined,
  deadEnds: DeadEnds,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<Read> {
  const { page, traffic } = tab;
  const document = traffic.document ?? file;
  if (!document) throw traffic.failure ?? new ScrapeError("UNKNOWN_ERROR", "The browser opened no document");
  if (document.body) return fileAnswer(document);
  const body = Buffer.from(await readPage(tab, maxBodyBytes, signal));
  const { download } = traffic;
  const url = /^https?:/.test(page.url()) ? page.url() : document.url;
  if (readSignals(body).text >= hardlyAnyText) return { document, url, body, rendered: true };
  // On a busy machine, a failure to open the page may become known only now.
  const lateEnd = deadEnds.failure();
  if (lateEnd !== undefined) throw lateEnd;
  if (!download && traffic.failure) throw traffic.failure;
  return download?.body ? fileAnswer(download) : { document, url, body, rendered: true };
}

/** Opens the address. Resolves with the answer if a file, or nothing at all, came in place of a page. */
async function open(tab: Tab, url: string): Promise<MainDocument | undefined> {
  const { page, traffic } = tab;
  try {
    await page.goto(url, { waitUntil: "commit", timeout: 0 });
  } catch (error) {
    if (traffic.failure) throw traffic.failure;
    const { document } = traffic;
    if (document?.body) return document;
    // An error status without a body, for which browsers show a page of their own.
    if (document && /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_INVALID_RESPONSE/.test(String(error))) {
      return { ...document, body: new Uint8Array() };
    }
    // A script has led on before the page was loaded.
    if (saysItIsGone(error)) throw error;
    if (!/interrupted by another navigation/.test(String(error))) throw navigationError(error, url, tab);
  }
  return traffic.document?.body ? traffic.document : undefined;
}

async function waitForText(tab: Tab, network: Network, limitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs;
  while (performance.now() < end && !(await showsText(tab))) {
    await sleep(100, undefined, { signal });
    await network.quiet(100, end - performance.now(), signal);
  }
}

/** A page may lead on at the moment in which it is read; some never stay for long. */
async function readPage(tab: Tab, maxBytes: number, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeHtml(tab, maxBytes);
    } catch (error) {
      if (CrawlcoreError.isInstance(error)) throw error;
      if (attempt === readAttempts) {
        throw restless(error);
      }
      await waitForEnd(tab, restLimitMs, signal);
    }
  }
}

/** What has been read, and the answer that it came with. */
interface Read extends Pick<Answer, "url" | "body" | "rendered"> {
  readonly document: MainDocument;
}

function fileAnswer(file: MainDocument): Read {
  return { document: file, url: file.url, body: file.body ?? new Uint8Array(), rendered: false };
}

function answerOf({
  document,
  warnings,
  ...parts
}: Read & Pick<Answer, "actions" | "screenshot"> & { readonly warnings: readonly string[] }): Answer {
  const { statusCode, statusText, redirects } = document;
  const headers = Object.fromEntries(
    Object.entries(document.headers).filter(([name]) => !(parts.rendered && ofTheBytes.has(name))),
  );
  return {
    statusCode,
    statusText: statusText || STATUS_CODES[statusCode] || "",
    headers,
    redirects,
    ...parts,
    ...(warnings.length === 0 ? {} : { warning: [...new Set(warnings)].join(" ") }),
  };
}
