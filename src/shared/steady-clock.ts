/**
 * The time by which leases end and what was put off is due: that of day, in whole milliseconds, except that it hardly
 * goes back. If the time of day is set back by an hour, what is due in a second must not wait for an hour; so this
 * clock keeps its lead, and runs at half speed until it is used up.
 */
export function createSteadyClock(): () => number {
  let told = Date.now();
  let toldAt = performance.now();
  let lead = 0;
  return () => {
    const now = Date.now();
    const at = performance.now();
    const passed = at - toldAt;
    const setBack = told + passed - now;
    lead = Math.max(0, lead - passed / 2);
    if (Math.abs(setBack) > tolerance) lead = Math.max(0, lead + setBack);
    told = now;
    toldAt = at;
    return Math.round(now + lead);
  };
}

/** Clocks that are adjusted run a little faster or slower for a while. */
const tolerance = 100;
