// Code: spans, and fenced blocks with their language.

import type { Element } from "domhandler";
import { preformattedText } from "./code-text.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { isElement, textContent, walkNodes } from "./walk.ts";

/** `code`, `tt`, `samp` */
export function writeCode(context: MarkdownContext, element: Element): void {
  if (holdsPreformatted(element)) {
    context.children(element);
    return;
  }
  const source = textContent(element);
  if (isPreformatted(element) && source.trim().includes("\n")) {
    writePreformatted(context, element);
    return;
  }
  const text = source.replace(/[\u200b\ufeff\u00ad]/g, "").replace(/\s+/g, " ");
  if (text.trim() === "") {
    context.children(element);
    return;
  }
  if (text.startsWith(" ")) context.run.space();
  context.run.raw(codeSpan(text.trim()));
  if (text.endsWith(" ")) context.run.space();
}

/** A code span whose back-ticks are more than any inside. */
export function codeSpan(text: string): string {
  const marks = "`".repeat(text.includes("`") ? longestRun(text) + 1 : 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** `pre`, with or without `code` in it. */
export function writePreformatted(context: MarkdownContext, element: Element): void {
  const code = preformattedText(element);
  if (code.trim() === "") {
    // Pictures or nothing.
    context.boundary();
    context.children(element);
    context.boundary();
  } else if (context.flat) {
    context.boundary();
    for (const line of code.split("\n")) {
      if (line.trim() === "") continue;
      context.run.raw(codeSpan(line.trim()));
      context.boundary();
    }
  } else context.block(fencedCode(code, languageOf(element)));
}

/** A fenced block; the fence is longer than any inside. */
export function fencedCode(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf("`"); at !== -1 && at < text.length; at++) {
    run = text.charCodeAt(at) === 96 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** A `code` around the `pre` instead of in it, or around a whole block. */
function holdsPreformatted(code: Element): boolean {
  let found = false;
  walkNodes(code, (node) => {
    if (isElement(node) && (node.name === "pre" || node.name === "table")) found = true;
    return !found;
  });
  return found;
}

const isPreformatted = ({ attribs }: Element): boolean => /white-space:\s*pre/i.test(attribs["style"] ?? "");

const languageAttributes = ["data-lang", "data-language", "data-code-lang", "data-enlighter-language"];
const languageClass =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|highlight|code-block|src)[-:]|brush:\s*|sourceCode\s+|hljs\s+(?!lang))([\w+#.-]+)/i;
/** Words that stand where a language could stand. */
const notALanguage =
  /^(?:none|text|txt|plain|plaintext|plain-text|nohighlight|no-highlight|default|undefined|auto|autodetect|source|wrapper|code|block|body|container|highlighter-rouge|lines?|number(?:s|ed)?|tab|copy)$/i;

/** The language that a page names for a code block: inside it, on it, or on the wrappers around it; "" for none. */
export function languageOf(pre: Element): string {
  let inner: Element | undefined;
  walkNodes(pre, (node) => {
    if (isElement(node) && node.name === "code") inner = node;
    return inner === undefined;
  });
  const elements = inner === undefined ? [pre] : [inner, pre];
  for (let node = pre.parent; node !== null && elements.length < 6; node = node.parent) {
    if (!isElement(node) || node.name === "body" || node.name === "article" || node.name === "main") break;
    // A wrapper with more in it than this block speaks of something else.
    if (node.children.filter((child) => isElement(child) && child.name === "pre").length > 1) break;
    elements.push(node);
  }
  for (const element of elements) {
    const language = languageIn(element);
    if (language !== undefined) return notALanguage.test(language) ? "" : language.toLowerCase();
  }
  return "";
}

function languageIn({ attribs }: Element): string | undefined {
  for (const key of languageAttributes) {
    const named = attribs[key];
    if (named !== undefined && /^[\w+#.-]{1,30}$/.test(named)) return named;
  }
  const className = attribs["class"];
  return className === undefined ? undefined : languageClass.exec(className)?.[1];
}
