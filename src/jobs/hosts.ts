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
  enter(host: string): void;
  leave(host: string): void;
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
  running: number;
  pausedUntil: number;
}

export function createHosts(maxConcurrencyPerHost: number): Hosts {
  const states = new Map<string, HostState>();
  /** Pauses that have not ended; a host may have several. */
  let pauses = 0;
  const pace = createHostPace();

  function stateOf(host: string): HostState {
    let state = states.get(host);
    if (state === undefined) {
      state = { running: 0, pausedUntil: 0 };
      states.set(host, state);
    }
    return state;
  }

  return {
    isFree(host, now) {
      const state = states.get(host);
      if (state !== undefined && (state.running >= maxConcurrencyPerHost || state.pausedUntil > now)) return false;
      return pace.mayBegin(host, now);
    },
    isPaused: (host, now) => (states.get(host)?.pausedUntil ?? 0) > now || !pace.mayBegin(host, now),
    get arePaused() {
      return pauses > 0 || pace.areAny;
    },
    enter(host) {
      pace.began(host);
      stateOf(host).running++;
    },
    leave(host) {
      const state = stateOf(host);
      state.running--;
      // A crawl over many hosts must not keep a record of each.
      if (state.running === 0 && state.pausedUntil === 0) states.delete(host);
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
        if (state.running === 0) states.delete(host);
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
