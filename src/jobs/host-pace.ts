/**
 * Spaces out the pages of a host that turned some away because there were too many. Waiting before the next attempt is
 * not enough there: the pages that waited come back together, and most of them are turned away once more. Other hosts
 * turn pages away however slowly they are asked; the pages of those should not be spaced out for long.
 */
interface HostPace {
  readonly areAny: boolean;
  /** May a page of the host begin at `now`, as `performance.now()` gives it? */
  mayBegin(host: string, now: number): boolean;
  began(host: string): void;
  /**
   * This attempt at a page (1 is the first), begun at `begunAt`, was answered; the status {@link hungUp} means that the
   * server closed the connection instead.
   */
  answered(host: string, begunAt: number, statusCode: number, attempt: number): void;
  /** True if the host turns pages away that it answers when they are tried again: there were only too many at once. */
  answersRetries(host: string): boolean;
  /** The earliest time after `now` at which a page that is held back may begin; infinite if none is held back. */
  nextBegin(now: number): number;
}

interface PacedHost extends Spacing {
  /** Share of the last retried pages that were not turned away, since the host is known. */
  retriesAnswered: number;
  turnedAt: number;
}

/** Begins anew once the host's pages need no gap. */
interface Spacing {
  /** Share of the last pages that were turned away. */
  share: number;
  /** Share of the last retried pages that were not turned away, since then. */
  cameAgain: number;
  /** Milliseconds from the start of one page to the start of the next. */
  gapMs: number;
  notBefore: number;
  /** The gap at which a page was turned away after others had been answered; 0 if none is known. */
  tooNarrowMs: number;
  /** Pages that were begun before this say nothing about the present gap. */
  widenedAt: number;
  /** How often the gap was widened since a page was answered. */
  inVain: number;
  /** Before the gap grows this wide, the host is tested. */
  doubtedGapMs: number;
  test: GapTest | undefined;
  /** The host turns pages away whether they are spaced or not. */
  isIndifferent: boolean;
}

/**
 * A test begins some pages without a gap. A host that limits their rate answers hardly more of them than if they were
 * spaced out; another host answers as many as before.
 */
interface GapTest {
  /** The gap to use if the host limits the rate. */
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
/** So many of them are answered by a host with a limit too, and more if it took longer to begin them. */
const allowance = 2;
const allowancePerGap = 4;
/**
 * A narrower gap is dropped. The value is small because all waiting pages then begin at once, and may all be turned
 * away.
 */
const narrowestGapMs = 2;
/** Each answered page multiplies the gap by this, until one is turned away again. */
const narrowing = 0.9;
/** The same while no gap is known to be too narrow. */
const quickNarrowing = 0.8;
/** The same near a gap that was too narrow before. */
const carefulNarrowing = 0.99;
const near = 1.25;
/** Stands for a status when the server closed the connection. */
export const hungUp = 0;

/**
 * Statuses of a server that gets more requests than it wants, and the share of the last pages from which on they count:
 * servers also answer 503, or hang up, for pages that are broken, and asking more slowly does not help there. If
 * retried pages are answered, they were not broken, and every refusal counts.
 */
const leastShares: ReadonlyMap<number, number> = new Map([
  [429, 0],
  [503, 0.5],
  [hungUp, 0.5],
]);
const leastShareOfIndifferent = 0.8;
const lastPages = 8;
const leastCameAgain = 0.25;
/** A share below this counts as none. */
const noShare = 0.04;
/** After widening the gap so often without an answer, spacing is given up: the host would not answer any sooner. */
const mostInVain = 6;
/** A host is forgotten after this time without a page turned away. */
const forgottenAfterMs = 60_000;

const unspaced: Readonly<Spacing> = {
  share: 0,
  cameAgain: 0,
  gapMs: 0,
  notBefore: 0,
  tooNarrowMs: 0,
  widenedAt: 0,
  inVain: 0,
  doubtedGapMs: firstDoubtedGapMs,
  test: undefined,
  isIndifferent: false,
};

export function createHostPace(): HostPace {
  const paced = new Map<string, PacedHost>();

  function meet(host: string): PacedHost {
    const state = { ...unspaced, retriesAnswered: 0, turnedAt: 0 };
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
        // Pages after the tested ones are spaced until the result is known.
        if (++state.test.begun === testedPages) state.gapMs = state.test.gapMs;
      }
      if (state.gapMs > 0) state.notBefore = performance.now() + state.gapMs;
    },
    answered(host, begunAt, statusCode, attempt) {
      const leastShare = leastShares.get(statusCode);
      const state = paced.get(host) ?? (leastShare === undefined ? undefined : meet(host));
      if (state === undefined) return;
      const isAway = Number(leastShare !== undefined);
      if (attempt > 1) {
        state.cameAgain += (1 - isAway - state.cameAgain) / lastPages;
        state.retriesAnswered += (1 - isAway - state.retriesAnswered) / lastPages;
      }
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
      if (state.gapMs === 0 && state.share < noShare && !state.isIndifferent) Object.assign(state, unspaced);
    },
    answersRetries: (host) => (paced.get(host)?.retriesAnswered ?? 0) >= leastCameAgain,
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
  // If there were so few pages that they were spaced out anyway, the test has shown nothing.
  state.doubtedGapMs = ofSpaced < 1 ? Number.POSITIVE_INFINITY : 2 * test.gapMs;
  state.widenedAt = performance.now();
  setGap(state, state.isIndifferent ? 0 : test.gapMs);
}

function setGap(state: PacedHost, gapMs: number): void {
  state.gapMs = gapMs;
  state.notBefore = gapMs > 0 ? performance.now() + gapMs : 0;
}
