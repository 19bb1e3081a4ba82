/** robots.txt and the sitemaps: an index that names a plain file and a compressed one. */
import { gzipSync } from "node:zlib";
import type { DemoPage } from "./read-pages.ts";

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const robots = (origin: string): string => `# Robots are welcome nearly everywhere.
User-agent: *
Disallow: /members/
Disallow: /search
Crawl-delay: 0

Sitemap: ${origin}/sitemap.xml
`;

export const sitemapIndex = (origin: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex ${namespace}>
  <sitemap><loc>${origin}/sitemaps/pages.xml</loc></sitemap>
  <sitemap><loc>${origin}/sitemaps/journal.xml.gz</loc></sitemap>
</sitemapindex>
`;

export function sitemap(origin: string, pages: readonly DemoPage[]): string {
  const entries = pages.map((page) => {
    const modified = page.date ? `<lastmod>${page.date}</lastmod>` : "";
    return `  <url><loc>${origin}${page.path}</loc>${modified}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n${entries.join("\n")}\n</urlset>\n`;
}

export const compressed = (text: string): Uint8Array => gzipSync(text);
