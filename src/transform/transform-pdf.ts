/** A PDF: its text as markdown and HTML, or the file itself as base64. */
import { asBuffer } from "../shared/as-buffer.ts";
import { bareDocument } from "./html/text-document.ts";
import { readPdf } from "./read-pdf.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

export async function transformPdf(
  { body, options }: TransformInput,
  signal: AbortSignal | undefined,
): Promise<TransformResult> {
  const wanted = new Set(options.formats);
  if (!options.parsePDF) {
    const file = asBuffer(body).toString("base64");
    return {
      kind: "pdf",
      isEncoded: true,
      metadata: {},
      ...(wanted.has("markdown") ? { markdown: file } : {}),
      ...(wanted.has("html") ? { html: bareDocument(file) } : {}),
      ...(wanted.has("rawHtml") ? { rawHtml: file } : {}),
      ...(wanted.has("links") ? { links: [] } : {}),
    };
  }
  const pdf = await readPdf(body, signal, { html: wanted.has("html") || wanted.has("rawHtml") });
  return {
    kind: "pdf",
    metadata: pdf.metadata,
    numPages: pdf.numPages,
    readPages: pdf.readPages,
    ...(wanted.has("markdown") ? { markdown: pdf.markdown } : {}),
    ...(wanted.has("html") ? { html: pdf.html! } : {}),
    ...(wanted.has("rawHtml") ? { rawHtml: pdf.html! } : {}),
    ...(wanted.has("links") ? { links: pdf.links } : {}),
    ...(options.discoverLinks ? { discovered: pdf.links } : {}),
    ...(pdf.warning === undefined ? {} : { warning: pdf.warning }),
  };
}
