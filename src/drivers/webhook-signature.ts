/** Signatures of webhooks: made by the sender, checked by receivers. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The value of the signature header: `sha256=` and the HMAC-SHA256 of the raw body in hexadecimal. */
export function signWebhook(rawBody: string | Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(rawBody).digest("hex")}`;
}

/**
 * Checks a delivery where it is received. Give it the body as it came, before any parsing. Comparing takes as long for a
 * signature that is nearly right as for one that is all wrong. Answer 401 when the result is false.
 *
 * @param header the value of `X-Service-Signature`; a list (a header sent twice) or nothing is refused
 * @example
 * if (!verifyWebhook(rawBody, request.headers["x-service-signature"], secret)) response.writeHead(401).end();
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
  secret: string,
): boolean {
  if (typeof header !== "string" || secret === "") return false;
  const expected = Buffer.from(signWebhook(rawBody, secret));
  const given = Buffer.from(header.trim());
  return given.length === expected.length && timingSafeEqual(given, expected);
}
