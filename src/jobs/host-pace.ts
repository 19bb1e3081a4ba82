/**
 * How far apart pages of a host begin that turned some away for being too many. Waiting before the next attempt alone
 * does not help there: the pages that waited come back together, and most of them are turned away once more. Other
 * hosts turn pages away however slowly they are asked: those are not to be spaced for long.
 */
export interface HostPace {
  readonly areAny: boolean;
  /** May a page of the host begin at `now`, as `performance.now()` gives it? */
  mayBegin(host: string, now: number): boolean;
  began(host: string): void;
  /**
   * An answer came to this attempt at a page (1 is the first), which was begun at `begunAt`; or the server hung up instead,
   * for which {@link hungUp} stands.
   */
  answered(host: string, begunAt: number, statusCode: number, attempt: number): void;
  /** When the next page may begin that may not at `now`; infinite when there is none. */
  nextBegin(now: number): number;
}

interface PacedHost {
  /** Of the last pages, those turned away. */
  share: number;
  /** Of the last pages that were tried again, those that came. */
  cameAgain: number;
  /** Milliseconds from the beginning of one page to that of the next. */
  gapMs: number;
  notBefore: number;
  /** At this gap a page was turned away, after others had come at it; 0 when none is known. */
  tooNarrowMs: number;
  turnedAt: number;
  /** What was begun before says nothing about the gap. */
  widenedAt: number;
  /** How often the gap was widened since a page was answered. */
  inVain: number;
  /** From this gap on the host is tested first. */
  doubtedGapMs: number;
  test: GapTest | undefined;
  /** The host turns pages away whether they are spaced or not. */
  isIndifferent: boolean;
}

/** Some pages are begun without a gap: who bounds their rate gives hardly more of them than if they were spaced. */
interface GapTest {
  /** The gap if the host does. */
  readonly gapMs: number;
  begun: number;
  lastBegunAt: number;
  answered: number;
  turnedAway: number;
}

const firstGapMs = 100;
const widestGapMs = 2000;
const firstDoubtedGapMs = 200;
const testedPages = 8;
/** So many of them come of a host with a bound too, and more if it took longer to begin them. */
const allowance = 2;
const allowancePerGap = 4;
/** A gap below this is none. It is small: the pages that wait all begin at once then, and may all be turned away. */
const narrowestGapMs = 2;
/** Each page that is answered brings the next so much closer, until one is turned away once more. */
const narrowing = 0.9;
/** So much closer while no gap is known between those too narrow and those too wide. */
const quickNarrowing = 0.8;
/** So much closer only, near a gap that was too narrow before. */
const carefulNarrowing = 0.99;
const near = 1.25;
/** In the place of a status. */
export const hungUp = 0;

/**
 * Statuses of a server that gets more requests than it wants, and the share of the last pages from which on they count: with
 * 503 servers also answer for pages that are broken, or hang up, and who asks slowly gets no others. Where pages come that are tried
 * again, they are not broken, and each counts.
 */
const leastShares: ReadonlyMap<number, number> = new Map([
  [429, 0],
  [503, 0.5],
  [hungUp, 0.5],
]);
const leastShareOfIndifferent = 0.8;
const lastPages = 8;
const leastCameAgain = 0.25;
/** Of a share below this nothing is left. */
const noShare = 0.04;
/** A host that still answers nothing does not answer sooner when it is asked slowly. */
const mostInVain = 6;
/** So long without a page turned away, and nothing is left of it. */
const forgottenAfterMs = 60_000;

export function createHostPace(): HostPace {
  const paced = new Map<string, PacedHost>();

  function meet(host: string): PacedHost {
    const state = {
      share: 0,
      cameAgain: 0,
      gapMs: 0,
      notBefore: 0,
      tooNarrowMs: 0,
      turnedAt: 0,
      widenedAt: 0,
      inVain: 0,
      doubtedGapMs: firstDoubtedGapMs,
      test: undefined,
      isIndifferent: false,
    };
    paced.set(host, state);
    forgetLater(host, state, forgottenAfterMs);
    return state;
  }

  function forgetLater(host: string, state: PacedHost, waitMs: number): void {
    setTimeout(() => {
      if (paced.get(host) !== state) return;
      const left = state.turnedAt + forgottenAfterMs - performance.now();
      if (left > 0) forgetLater(host, state, left);
      else paced.delete(host);
    }, waitMs).unref();
  }

  return {
    get areAny() {
      return paced.size > 0;
    },
    mayBegin: (host, now) => (paced.get(host)?.notBefore ?? 0) <= now,
    began(host) {
      const state = paced.get(host);
      if (state === undefined) return;
      if (state.test !== undefined && state.test.begun < testedPages) {
        state.test.lastBegunAt = performance.now();
        // Those after the tested ones wait for what these show.
        if (++state.test.begun === testedPages) state.gapMs = state.test.gapMs;
      }
      if (state.gapMs > 0) state.notBefore = performance.now() + state.gapMs;
    },
    answered(host, begunAt, statusCode, attempt) {
      const leastShare = leastShares.get(statusCode);
      const state = paced.get(host) ?? (leastShare === undefined ? undefined : meet(host));
      if (state === undefined) return;
      const isAway = Number(leastShare !== undefined);
      if (attempt > 1) state.cameAgain += (1 - isAway - state.cameAgain) / lastPages;
      if (isAway) state.turnedAt = performance.now();
      if (begunAt < state.widenedAt) return;
      state.share += (isAway - state.share) / lastPages;
      if (state.test !== undefined) return goOn(state, state.test, isAway);
      if (leastShare !== undefined) {
        if (state.share >= sufficientShare(state, leastShare)) widen(state);
        return;
      }
      state.inVain = 0;
      state.gapMs *= narrowingOf(state);
      if (state.gapMs < narrowestGapMs) state.gapMs = 0;
      if (state.gapMs === 0 && state.share < noShare && !state.isIndifferent) paced.delete(host);
    },
    nextBegin(now) {
      let next = Number.POSITIVE_INFINITY;
      for (const { notBefore } of paced.values()) if (notBefore > now && notBefore < next) next = notBefore;
      return next;
    },
  };
}

function sufficientShare(state: PacedHost, leastShare: number): number {
  if (state.isIndifferent) return leastShareOfIndifferent;
  return state.cameAgain >= leastCameAgain ? 0 : leastShare;
}

function narrowingOf({ gapMs, tooNarrowMs }: PacedHost): number {
  if (tooNarrowMs === 0) return quickNarrowing;
  return gapMs < near * tooNarrowMs ? carefulNarrowing : narrowing;
}

function widen(state: PacedHost): void {
  if (state.inVain++ === 0) state.tooNarrowMs = state.gapMs;
  state.widenedAt = performance.now();
  const gapMs = Math.min(Math.max(2 * state.gapMs, firstGapMs), widestGapMs);
  if (state.inVain > mostInVain) setGap(state, 0);
  else if (gapMs < state.doubtedGapMs) setGap(state, gapMs);
  else {
    state.test = { gapMs, begun: 0, lastBegunAt: 0, answered: 0, turnedAway: 0 };
    setGap(state, 0);
  }
}

function goOn(state: PacedHost, test: GapTest, isAway: number): void {
  test.turnedAway += isAway;
  if (++test.answered < testedPages) return;
  state.test = undefined;
  const came = testedPages - test.turnedAway;
  const ofSpaced = (test.lastBegunAt - state.widenedAt) / test.gapMs;
  state.isIndifferent = came > allowance + allowancePerGap * ofSpaced;
  // When pages were so few that they came spaced, this has shown nothing.
  state.doubtedGapMs = ofSpaced < 1 ? Number.POSITIVE_INFINITY : 2 * test.gapMs;
  state.widenedAt = performance.now();
  setGap(state, state.isIndifferent ? 0 : test.gapMs);
}

function setGap(state: PacedHost, gapMs: number): void {
  state.gapMs = gapMs;
  state.notBefore = gapMs > 0 ? performance.now() + gapMs : 0;
}
