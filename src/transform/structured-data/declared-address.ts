// Makes addresses in declared data absolute: pages write them relative, as in links, but the data is read away from the
// page.

import { resolveUrl } from "../absolute-urls.ts";

/** Properties whose text is an address, by their local name: `url` of schema.org, `og:image` of Open Graph. */
const addressProperties: ReadonlySet<string> = new Set([
  "audio",
  "contentUrl",
  "downloadUrl",
  "embedUrl",
  "hasMap",
  "image",
  "item",
  "logo",
  "mainEntityOfPage",
  "photo",
  "relatedLink",
  "sameAs",
  "screenshot",
  "secure_url",
  "thumbnail",
  "thumbnailUrl",
  "url",
  "video",
]);

/** Anything else may be a host without its scheme (`www.example.com`), or words that say that there is none. */
const plainlyRelative = /^\.{0,2}\//;

/** The text of a property, made absolute if it is plainly a relative address. */
export function declaredText(property: string, text: string, base: string): string {
  if (!addressProperties.has(property) || !plainlyRelative.test(text)) return text;
  return resolveUrl(text, base) ?? text;
}
