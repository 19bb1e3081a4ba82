/** A deadline counts the time of the work, not that of waiting for a turn. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isTimeout } from "../src/errors.ts";
import { orOverdue, withDeadline } from "../src/fetch/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("time that does not count is added to the end, and only once for two who wait together", async () => {
  const deadline = withDeadline(undefined, 100);
  const { signal, untimed } = deadline;
  await vi.advanceTimersByTimeAsync(60);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting = [untimed(first.promise), untimed(second.promise)];
  await vi.advanceTimersByTimeAsync(1000);
  first.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect(signal.aborted).toBe(false);
  second.resolve();
  await Promise.all(waiting);
  await vi.advanceTimersByTimeAsync(39);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isTimeout(signal.reason)).toBe(true);
  deadline.dispose();
});

test("no timer is left behind by a deadline that was disposed of while something waited", async () => {
  const deadline = withDeadline(undefined, 100);
  const turn = Promise.withResolvers<void>();
  const waiting = deadline.untimed(turn.promise);
  deadline.dispose();
  turn.resolve();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});

test("what is not done after the deadline's grace fails as it would have without", async () => {
  const { signal } = withDeadline(undefined, 100);
  const overdue = orOverdue(new Promise(() => {}), signal, { caller: undefined, graceMs: 10 }).catch((error) => error);
  await vi.advanceTimersByTimeAsync(110);
  expect(await overdue).toBe(signal.reason);
});

test("what is done within the grace counts", async () => {
  const { signal } = withDeadline(undefined, 100);
  const late = new Promise((resolve) => void setTimeout(resolve, 105, "late"));
  const overdue = orOverdue(late, signal, { caller: undefined, graceMs: 10 });
  await vi.advanceTimersByTimeAsync(110);
  expect(await overdue).toBe("late");
});

test("a thread that was busy beyond the deadline ends it at once, without a warning of Node's", async () => {
  vi.useRealTimers();
  const warnings: string[] = [];
  const hear = (warning: Error) => void warnings.push(warning.message);
  process.on("warning", hear);
  const deadline = withDeadline(undefined, 5);
  const began = performance.now();
  while (performance.now() - began < 30);
  await deadline.untimed(Promise.resolve());
  await vi.waitFor(() => expect(isTimeout(deadline.signal.reason)).toBe(true));
  deadline.dispose();
  process.off("warning", hear);
  expect(warnings).toEqual([]);
});
