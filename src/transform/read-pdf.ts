/** Stub until the PDF reader lands. */
import { ScrapeError } from "../errors.ts";
export interface PdfResult {
  markdown: string;
  metadata: Record<string, string | number>;
  numPages: number;
  links: string[];
  warning?: string;
}
export async function readPdf(
  _bytes: Uint8Array,
  _options: { maxPages?: number | undefined; signal?: AbortSignal | undefined },
): Promise<PdfResult> {
  throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", "PDF is not read yet");
}
