/** The end of a message about what a host's function has given instead of what it should give: "a promise", "a number". */
import { quietly } from "./quietly.ts";

export function insteadOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof (value as { then?: unknown }).then === "function") {
    // Nobody waits for it, and if it rejects, that must not end the process.
    quietly(() => value);
    return "a promise";
  }
  return typeof value === "string" ? "another text" : `a value of the type ${typeof value}`;
}
