/** A PDF: its text as markdown, or the file itself as base64. */
import { readPdf } from "./read-pdf.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

export async function transformPdf({ body, options }: TransformInput, signal?: AbortSignal): Promise<TransformResult> {
  const wanted = new Set(options.formats);
  if (!options.parsePDF) {
    const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64");
    const fields = (["markdown", "html", "rawHtml"] as const).filter((format) => wanted.has(format));
    const links = wanted.has("links") ? { links: [] } : {};
    const encoded = Object.fromEntries(fields.map((format) => [format, file]));
    return { kind: "pdf", isEncoded: true, metadata: {}, ...encoded, ...links };
  }
  const pdf = await readPdf(body, signal);
  return {
    kind: "pdf",
    metadata: pdf.metadata,
    numPages: pdf.numPages,
    readPages: pdf.readPages,
    ...(wanted.has("markdown") ? { markdown: pdf.markdown } : {}),
    ...(wanted.has("html") ? { html: pdf.markdown } : {}),
    ...(wanted.has("rawHtml") ? { rawHtml: pdf.markdown } : {}),
    ...(wanted.has("links") ? { links: pdf.links } : {}),
    ...(options.discoverLinks ? { discovered: pdf.links } : {}),
    ...(pdf.warning === undefined ? {} : { warning: pdf.warning }),
  };
}
