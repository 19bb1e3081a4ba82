/** Wraps text in HTML, so that showing the `html` of a body shows its text and runs nothing of it. */
import { escapeText } from "./write-html.ts";

/** A minimal document around HTML. */
export const bareDocument = (body: string): string => `<!doctype html><html><body>${body}</body></html>`;

/**
 * Text exactly as it is, including its lines. Parsers drop one line end after the tag, so another is put before the
 * text.
 */
export const preformatted = (text: string): string =>
  `<pre>${/^\r?\n/.test(text) ? "\n" : ""}${escapeText(text)}</pre>`;
