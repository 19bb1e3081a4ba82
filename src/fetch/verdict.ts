/** Judges the answer of a fetcher: whether the next one may do better. */
import { CrawlcoreError, type ErrorCode } from "../errors.ts";
import type { FetchResponse } from "../ports/fetcher.ts";
import { isChallenge } from "./block-signals.ts";
import type { HostExperience } from "./host-experience.ts";
import { enoughText, hasScript, isOfFrames, type PageSignals, readSignals } from "./page-signals.ts";
import { hasPlaceholder, hasUnfilledMain, saysToWait } from "./waiting-page.ts";

/** Why a browser should open the page. */
type ShellReason =
  | "frames"
  | "empty-root"
  | "empty-main"
  | "loading"
  | "asks-for-scripts"
  | "hardly-any-text"
  | "challenge"
  | "host-experience";

/** Codes of errors about one fetcher alone. */
const otherFetcherMayHelp: ReadonlySet<ErrorCode> = new Set(["UNKNOWN_ERROR", "SCRAPE_ALL_ENGINES_FAILED"]);

/** A page with scripts and less text than this may be an empty shell. */
const shellText = 200;
/** The same for a page that asks for scripts to be enabled, because that notice is itself text. */
const noticeText = 400;
/** More links, pictures or fields than this are content, whatever the text. */
const shellContent = 3;

/** Why an answer is not yet the page as its author means it; undefined if it is. */
export function shellReason(
  response: FetchResponse,
  experience: () => ReturnType<HostExperience["of"]>,
): ShellReason | undefined {
  if (response.rendered) return undefined;
  // Without a content type, a browser looks at the bytes; here only markup with scripts counts.
  const isPage = response.statusCode === 200 && /html/i.test(response.headers["content-type"] || "html");
  if (isPage && isOfFrames(response.body)) return "frames";
  const signals = isPage ? readSignals(response.body) : undefined;
  // Menus and footers may be long.
  const isUnfilled = signals !== undefined && hasUnfilledMain(response.body) && experience() !== "vain";
  // Nearly all pages end here.
  if (signals && signals.text >= enoughText && !isUnfilled) return undefined;
  if (isChallenge(response)) return "challenge";
  if (isUnfilled && hasScript(response.body)) return "empty-main";
  return signals && (reasonIn(signals, experience()) ?? reasonInNotice(signals, response, experience()));
}

function reasonInNotice(
  { scripts }: PageSignals,
  { body }: FetchResponse,
  experience: ReturnType<HostExperience["of"]>,
): ShellReason | undefined {
  if (!scripts || experience === "vain") return undefined;
  return saysToWait(body) || hasPlaceholder(body) ? "loading" : undefined;
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
