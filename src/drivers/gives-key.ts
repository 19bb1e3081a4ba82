/** The page to which the final key of another one belongs. */
export interface KeyOwner {
  readonly state: string;
  readonly attempts: number;
  readonly times: number;
}

/**
 * Whether a page gives its key to one that succeeded: it has ended without a result, or waits for another attempt and
 * would be listed once.
 */
export function givesKey(owner: KeyOwner): boolean {
  return owner.state === "failed" || owner.state === "dropped" || isTriedAgain(owner);
}

/** Whether the page waits for another attempt: when it gives its key, it is dropped. */
export function isTriedAgain({ state, attempts, times }: KeyOwner): boolean {
  return (state === "queued" || state === "waiting") && attempts > 0 && times === 1;
}
