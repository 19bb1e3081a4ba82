/** Numbers that look random, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
  return {
    next,
    chance: (percent: number) => next(100) < percent,
    pick: <T>(list: readonly T[]) => list[next(list.length)] as T,
  };
}
