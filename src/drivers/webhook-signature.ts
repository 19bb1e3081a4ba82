/** Signatures of webhooks: created by the sender, verified by receivers. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The value of the signature header: `sha256=` and the HMAC-SHA256 of the raw body in hexadecimal. */
export function signWebhook(rawBody: string | Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(rawBody).digest("hex")}`;
}

/**
 * Verifies the signature of a delivery where it is received. Pass the raw body, before any parsing. The comparison
 * takes constant time. Answer 401 if the result is false.
 *
 * @param header the value of `X-Service-Signature`; false for a list (a header sent twice) or nothing
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
