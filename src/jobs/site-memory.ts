/**
 * What the globs of one job have read of their sites, so that several globs of one site read its first page and its
 * sitemaps only once.
 */
import { ByteList } from "../fetch/byte-list.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";

type Body = AsyncIterable<Uint8Array>;

/**
 * Most pages remembered. The globs of a site are mostly listed together; if the site occurs again later, its page is
 * fetched again.
 */
const mostPages = 10;
const mostBytes = 8 * 1024 * 1024;

export class SiteMemory {
  readonly #pages = new Map<string, ScrapedPage | null>();
  /** Null: there is no such file. */
  readonly #files = new Map<string, Uint8Array | null>();
  #bytes = 0;

  /** The page; null if it cannot be scraped. */
  async page(url: string, load: (url: string) => Promise<ScrapedPage | null>): Promise<ScrapedPage | null> {
    const known = this.#pages.get(url);
    if (known !== undefined) return known;
    const page = await load(url);
    this.#pages.set(url, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages) break;
      this.#pages.delete(oldest);
    }
    return page;
  }

  /** The body of a file, which is remembered once it has been read to its end; null if there is no such file. */
  async file(url: string, load: (url: string) => Promise<Body | null>): Promise<Body | null> {
    const known = this.#files.get(url);
    if (known !== undefined) return known === null ? null : once(known);
    const body = await load(url);
    if (body === null) this.#files.set(url, null);
    return body === null ? null : this.#kept(url, body);
  }

  async *#kept(url: string, body: Body): Body {
    let read: ByteList | undefined = new ByteList();
    for await (const chunk of body) {
      read?.add(chunk);
      if (read !== undefined && read.byteLength > mostBytes) read = undefined;
      yield chunk;
    }
    if (read !== undefined) this.#keep(url, read.toBuffer());
  }

  #keep(url: string, body: Uint8Array): void {
    this.#files.set(url, body);
    this.#bytes += body.byteLength;
    for (const [oldest, bytes] of this.#files) {
      if (this.#bytes <= mostBytes) break;
      this.#files.delete(oldest);
      this.#bytes -= bytes?.byteLength ?? 0;
    }
  }
}

async function* once(bytes: Uint8Array): Body {
  yield bytes;
}
