/** HTML around what is none, so that whoever shows the `html` of a body shows its text and runs nothing of it. */
import { escapeText } from "./write-html.ts";

/** A bare document around HTML. */
export const bareDocument = (body: string): string => `<!doctype html><html><body>${body}</body></html>`;

/** Text just as it stands, its lines included. Parsers leave out one line end behind the tag, so the text's own has one before it. */
export const preformatted = (text: string): string =>
  `<pre>${/^\r?\n/.test(text) ? "\n" : ""}${escapeText(text)}</pre>`;
