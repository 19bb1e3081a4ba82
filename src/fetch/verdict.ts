/** Judges what a fetcher brought: whether the next one may do better. */
import { CrawlcoreError, type ErrorCode } from "../errors.ts";
import type { FetchResponse } from "../ports/fetcher.ts";
import { isChallenge } from "./block-signals.ts";
import type { HostExperience } from "./host-experience.ts";
import { enoughText, isOfFrames, type PageSignals, readSignals } from "./page-signals.ts";

/** Why a browser should open the page. */
export type ShellReason =
  | "frames"
  | "empty-root"
  | "asks-for-scripts"
  | "hardly-any-text"
  | "challenge"
  | "host-experience";

/** Codes of errors about one fetcher alone. */
const otherFetcherMayHelp: ReadonlySet<ErrorCode> = new Set(["UNKNOWN_ERROR", "SCRAPE_ALL_ENGINES_FAILED"]);

/** With less text than this a page with scripts may be a shell. */
const shellText = 200;
/** The notice itself is text. */
const noticeText = 400;
/** More links, pictures or fields than this are content, whatever the text. */
const shellContent = 3;

/** Why an answer is not yet the page that its author means; undefined: it is. */
export function shellReason(
  response: FetchResponse,
  experience: () => ReturnType<HostExperience["of"]>,
): ShellReason | undefined {
  if (response.rendered) return undefined;
  // Without a type a browser looks at the bytes; only markup with scripts in it counts here.
  const isPage = response.statusCode === 200 && /html/i.test(response.headers["content-type"] || "html");
  if (isPage && isOfFrames(response.body)) return "frames";
  const signals = isPage ? readSignals(response.body) : undefined;
  // Nearly all pages end here.
  if (signals && signals.text >= enoughText) return undefined;
  if (isChallenge(response)) return "challenge";
  return signals && reasonIn(signals, experience());
}

function reasonIn(signals: PageSignals, experience: ReturnType<HostExperience["of"]>): ShellReason | undefined {
  const { text, scripts, content, emptyRoot, root, asksForScripts } = signals;
  if (!scripts) return undefined;
  if (text < shellText && emptyRoot) return "empty-root";
  if (text < noticeText && asksForScripts && content <= shellContent * 3) return "asks-for-scripts";
  if (text < shellText && content <= shellContent && experience !== "vain") return "hardly-any-text";
  return text < enoughText && root && experience === "helps" ? "host-experience" : undefined;
}

/** True for a failure that would be the same with every fetcher. */
export function isFinal(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && !otherFetcherMayHelp.has(error.code);
}
