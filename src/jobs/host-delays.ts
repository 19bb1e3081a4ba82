/** The pauses that hosts ask for in robots.txt, as one job keeps to them. */

export interface HostDelays {
  /** May a page of the host start at `now`, as `performance.now()` gives it? */
  isFree(host: string, now: number): boolean;
  /** Whether any host wants a pause, or may want one. */
  readonly areAny: boolean;
  began(host: string): void;
  /** @param isAsked false: the page did not come from the host */
  ended(host: string, now: number, isAsked: boolean): void;
  /** Sets the delay that the host asks for, 0 for none. Until it is known, the host's pages go one at a time. */
  learn(host: string, delayMs: number): void;
}

interface HostState {
  delayMs: number | undefined;
  running: number;
  /** No page of the host starts before this time. */
  notBefore: number;
}

export function createHostDelays(): HostDelays {
  const states = new Map<string, HostState>();
  /** Hosts that want a pause, or about which nothing is known yet. */
  const wanting = new Set<string>();

  function stateOf(host: string): HostState {
    let state = states.get(host);
    if (state === undefined) {
      state = { delayMs: undefined, running: 0, notBefore: 0 };
      states.set(host, state);
      wanting.add(host);
    }
    return state;
  }

  return {
    isFree(host, now) {
      const state = states.get(host);
      return state === undefined || state.delayMs === 0 || (state.running === 0 && state.notBefore <= now);
    },
    get areAny() {
      return wanting.size > 0;
    },
    began(host) {
      stateOf(host).running++;
    },
    ended(host, now, isAsked) {
      const state = stateOf(host);
      state.running--;
      if (isAsked) state.notBefore = now + (state.delayMs ?? 0);
    },
    learn(host, delayMs) {
      stateOf(host).delayMs = delayMs;
      if (delayMs === 0) wanting.delete(host);
    },
  };
}
