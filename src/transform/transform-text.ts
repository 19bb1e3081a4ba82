/** Bodies of text other than HTML: as markdown, as the text itself, and as HTML that shows it. */
import { bareDocument, preformatted } from "./html/text-document.ts";
import { languageOfType } from "./language-of-type.ts";
import { readText } from "./read-text.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

type TextKind = "text" | "markdown" | "json" | "xml";

export async function transformText(
  text: string,
  kind: TextKind,
  { options, url, contentType }: TransformInput,
  signal: AbortSignal | undefined,
): Promise<Omit<TransformResult, "kind">> {
  const wanted = new Set(options.formats);
  const { markdown, title, links } = await readText(text, kind, {
    baseUrl: url,
    removeBase64Images: options.removeBase64Images,
    language: languageOfType(contentType),
    signal,
  });
  return {
    metadata: title === undefined ? {} : { title },
    ...(wanted.has("markdown") ? { markdown } : {}),
    ...(wanted.has("html") ? { html: bareDocument(preformatted(text)) } : {}),
    ...(wanted.has("rawHtml") ? { rawHtml: text } : {}),
    ...(wanted.has("links") ? { links } : {}),
    ...(options.discoverLinks ? { discovered: links } : {}),
  };
}
