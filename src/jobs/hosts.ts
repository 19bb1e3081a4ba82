/** How many pages of a host are being fetched at the moment, and until when the host asked to be left alone. */
export interface Hosts {
  /** True when a page of this host may start at `now`, as `performance.now()` gives it: the time of day may be set back. */
  isFree(host: string, now: number): boolean;
  enter(host: string): void;
  leave(host: string): void;
  /** Honours `Retry-After`: no page of the host starts for so many milliseconds. */
  pause(host: string, milliseconds: number): void;
}

interface HostState {
  running: number;
  pausedUntil: number;
}

export function createHosts(maxConcurrencyPerHost: number): Hosts {
  const states = new Map<string, HostState>();

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
      return state === undefined || (state.running < maxConcurrencyPerHost && state.pausedUntil <= now);
    },
    enter(host) {
      stateOf(host).running++;
    },
    leave(host) {
      const state = stateOf(host);
      state.running--;
      // A crawl over many hosts must not keep a record of each.
      if (state.running === 0 && state.pausedUntil === 0) states.delete(host);
    },
    pause(host, milliseconds) {
      const state = stateOf(host);
      const until = performance.now() + milliseconds;
      state.pausedUntil = Math.max(state.pausedUntil, until);
      setTimeout(() => {
        if (state.pausedUntil > until) return;
        state.pausedUntil = 0;
        if (state.running === 0) states.delete(host);
      }, milliseconds).unref();
    },
  };
}

/** The host part by which fetches are limited: name and port. */
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
