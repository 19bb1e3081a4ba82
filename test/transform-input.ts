import { transform } from "../src/transform/transform.ts";
import type { TransformInput, TransformOptions, TransformResult } from "../src/transform/transform-shapes.ts";

export const pageUrl = "https://example.test/section/page";

/** What the transform is given for a page of HTML. */
export function htmlInput(
  html: string,
  options: Partial<TransformOptions> = {},
  input: Partial<TransformInput> = {},
): TransformInput {
  return {
    body: new TextEncoder().encode(html),
    contentType: "text/html; charset=utf-8",
    url: pageUrl,
    rendered: false,
    options: { formats: ["markdown"], onlyMainContent: false, removeBase64Images: true, parsePDF: true, ...options },
    ...input,
  };
}

/** The transform of a page of HTML; the whole page unless the options say otherwise. */
export const transformHtml = (
  html: string,
  options?: Partial<TransformOptions>,
  input?: Partial<TransformInput>,
): Promise<TransformResult> => transform(htmlInput(html, options, input));

/** The markdown of a whole page. */
export const markdownOf = async (html: string): Promise<string | undefined> => (await transformHtml(html)).markdown;
