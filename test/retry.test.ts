/** When a page of a job is tried again: after what, how often, and how long after. */
import { expect, test } from "vitest";
import { retryDelay } from "../src/jobs/retry.ts";
import { readRetryAfter } from "../src/shared/retry-after.ts";

test.each([429, 502, 503, 504, 520, 521, 522, 523, 524])("status %d passes", (statusCode) => {
  expect(retryDelay(1, { statusCode, answersRetries: false })).toBeGreaterThan(0);
});

test.each([200, 403, 404, 500, 501])("status %d stays", (statusCode) => {
  expect(retryDelay(1, { statusCode, answersRetries: false })).toBeNull();
});

test("a site is given the pause that it asks for, up to a minute", () => {
  const delay = (retryAfterMs: number) => retryDelay(1, { statusCode: 503, retryAfterMs, answersRetries: false });
  expect(delay(60_000)).toBe(60_000);
  expect(delay(60_001)).toBeNull();
  // No pause at all would use up the attempts in a moment.
  expect(delay(0)).toBeGreaterThanOrEqual(375);
});

test("what fails for another reason than the network is not tried again, whatever it looks like", () => {
  for (const error of [null, new Error("a defect"), { code: "SCRAPE_SITE_ERROR", retryable: true }])
    expect(retryDelay(1, { error, answersRetries: false })).toBeNull();
});

test("the wait grows with each attempt, to eight seconds or a little more", () => {
  const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelay(attempt, { statusCode: 503, answersRetries: true })!);
  for (const [at, usual] of [500, 2000, 8000, 8000, 8000].entries()) {
    expect(delays[at]).toBeGreaterThanOrEqual(0.75 * usual);
    expect(delays[at]).toBeLessThanOrEqual(1.25 * usual);
  }
});

test("three attempts, and six at a host that answers others when they come again", () => {
  const last = (answersRetries: boolean) =>
    [1, 2, 3, 4, 5, 6].findLast((attempt) => retryDelay(attempt, { statusCode: 503, answersRetries }) !== null);
  expect([last(false), last(true)]).toEqual([2, 5]);
});

test.each<[header: string | undefined, milliseconds: number | undefined]>([
  ["2", 2000],
  ["0.5", 500],
  ["-5", 0],
  ["Thu, 01 Jan 1970 00:00:03 GMT", 3000],
  ["", undefined],
  [" ", undefined],
  ["soon", undefined],
  [undefined, undefined],
])("Retry-After: %s", (header, milliseconds) => {
  expect(readRetryAfter(header, 0)).toBe(milliseconds);
});
