/**
 * The headers with which a desktop Chrome asks for a page: what the stealth tier sends over HTTP. The client adds
 * `accept-encoding`, which is the same.
 */

/** A release that many people use; to be updated from time to time. */
const chrome = "145";

export const stealthHeaders: Readonly<Record<string, string>> = {
  "sec-ch-ua": `"Chromium";v="${chrome}", "Google Chrome";v="${chrome}", "Not.A/Brand";v="24"`,
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Windows"',
  "upgrade-insecure-requests": "1",
  "user-agent": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chrome}.0.0.0 Safari/537.36`,
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
  "accept-language": "en-US,en;q=0.9",
};
