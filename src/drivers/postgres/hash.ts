/** A digest that represents a text that may be too long for an index. */

import { createHash } from "node:crypto";

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
