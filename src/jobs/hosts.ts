import { createHostPace } from "./host-pace.ts";

/**
 * For each host: how many of its pages are being fetched, until when it asked to be left alone, and how far apart its
 * pages begin.
 */
export interface Hosts {
  /**
   * True if a page of this host may start at `now`, as `performance.now()` gives it (the time of day may be set back).
   */
  isFree(host: string, now: number): boolean;
  /** True while the host is to be left alone, however many of its pages are in progress. */
  isPaused(host: string, now: number): boolean;
  /** Whether any host is to be left alone. */
  readonly arePaused: boolean;
  /** A page begins; the time at which it does, as `performance.now()` gives it. */
  enter(host: string): number;
  /** The page that began then has ended. */
  leave(host: string, begunAt: number): void;
  /** A page that was begun at `begunAt` was answered. */
  answered(host: string, begunAt: number, statusCode: number, attempt: number): void;
  /** True if the host turns pages away that it answers when they are tried again. */
  answersRetries(host: string): boolean;
  /**
   * The earliest time after `now` at which a page that is held back by the gap between pages may begin; infinite if
   * none is.
   */
  nextBegin(now: number): number;
  /** Honours `Retry-After`: no page of the host starts for so many milliseconds. */
  pause(host: string, milliseconds: number): void;
}

interface HostState {
  /** When the pages in progress began, the earliest first. */
  readonly begun: number[];
  pausedUntil: number;
  /** Runs while as many pages are in progress as may be. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * A page that takes longer gives up its place: with pages that hang, and as much time as callers may ask for, one team
 * could keep a host from all others for weeks. How many pages hang is limited by what a team may have in progress.
 */
const longestPlaceMs = 60_000;

/** @param onRoom called when pages have given up their places to others */
export function createHosts(maxConcurrencyPerHost: number, onRoom: () => void): Hosts {
  const states = new Map<string, HostState>();
  /** Pauses that have not ended; a host may have several. */
  let pauses = 0;
  const pace = createHostPace();

  function stateOf(host: string): HostState {
    let state = states.get(host);
    if (state === undefined) {
      state = { begun: [], pausedUntil: 0, timer: undefined };
      states.set(host, state);
    }
    return state;
  }

  /** A crawl over many hosts must not keep a record of each. */
  function forget(host: string, state: HostState): void {
    if (state.begun.length > 0 || state.pausedUntil > 0) return;
    clearTimeout(state.timer);
    states.delete(host);
  }

  /** When the first of the pages gives up its place that keep the host busy; undefined if there is room already. */
  function roomAt({ begun }: HostState): number | undefined {
    const oldest = begun[begun.length - maxConcurrencyPerHost];
    const at = oldest === undefined ? 0 : oldest + longestPlaceMs;
    return at > performance.now() ? at : undefined;
  }

  /** Only time brings room when no page of the host ends. */
  function watch(state: HostState): void {
    const at = roomAt(state);
    if (state.timer !== undefined || at === undefined) return;
    const wait = Math.max(at - performance.now(), 0);
    state.timer = setTimeout(() => {
      state.timer = undefined;
      // Pages that were there at first may have ended, and others have their places.
      if (roomAt(state) === undefined) onRoom();
      else watch(state);
    }, wait);
    state.timer.unref();
  }

  return {
    isFree(host, now) {
      const state = states.get(host);
      if (state !== undefined && (roomAt(state) !== undefined || state.pausedUntil > now)) return false;
      return pace.mayBegin(host, now);
    },
    isPaused: (host, now) => (states.get(host)?.pausedUntil ?? 0) > now || !pace.mayBegin(host, now),
    get arePaused() {
      return pauses > 0 || pace.areAny;
    },
    enter(host) {
      pace.began(host);
      const state = stateOf(host);
      const begunAt = performance.now();
      state.begun.push(begunAt);
      watch(state);
      return begunAt;
    },
    leave(host, begunAt) {
      const state = stateOf(host);
      state.begun.splice(state.begun.indexOf(begunAt), 1);
      forget(host, state);
    },
    answered: pace.answered,
    answersRetries: pace.answersRetries,
    nextBegin: pace.nextBegin,
    pause(host, milliseconds) {
      const state = stateOf(host);
      const until = performance.now() + milliseconds;
      state.pausedUntil = Math.max(state.pausedUntil, until);
      pauses++;
      setTimeout(() => {
        pauses--;
        if (state.pausedUntil > until) return;
        state.pausedUntil = 0;
        forget(host, state);
      }, milliseconds).unref();
    },
  };
}

/** The part of a URL by which fetches are limited: host name and port. */
export function hostOf(url: string): string {
  const start = url.indexOf("//") + 2;
  let end = start;
  while (end < url.length) {
    const code = url.charCodeAt(end);
    if (code === 47 || code === 63 || code === 35) break;
    end++;
  }
  return url.slice(url.lastIndexOf("@", end) >= start ? url.lastIndexOf("@", end) + 1 : start, end);
}
