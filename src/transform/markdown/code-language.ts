// The language that a page names for a block of code, in the words of highlighters.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { isElement, walkNodes } from "../html/walk.ts";
import { isLanguage, languageNamed } from "./code-languages.ts";

const languageAttributes = [
  "data-lang",
  "data-language",
  "language",
  "data-code-lang",
  "data-code-language",
  "data-canonical-lang",
  "data-enlighter-language",
  "data-syntaxhighlighter-params",
];
const languageClass =
  /(?:^|\s)(?:(?:[\w-]*(?:highlight|code)-lang(?:uage)?|language|lang|highlight-source|highlight-text|highlight|code-block|src)[-:]|brush:\s*|sourceCode\s+|hljs\s+(?!lang))([\w+#.-]+)/i;
/** Words that are found in the place of a language. */
const notALanguage =
  /^(?:none|text|txt|plain|plaintext|plain-text|nohighlight|no-highlight|default|undefined|auto|autodetect|source|wrapper|code|block|body|container|highlighter-rouge|lines?|number(?:s|ed)?|tab|copy)$/i;
/** Wrappers whose class names are about the code. */
const highlighter = classNamed(
  "highlight|highlighter|syntaxhighlighter|codehilite|code|code-?block|prettyprint|chroma|hljs",
  "i",
);
/** Names that are also codes of natural languages. */
const spoken: ReadonlySet<string> = new Set(["cs", "pl", "hs"]);
const maxWrappers = 6;
/** An element with more children is no wrapper; searching them for each block in it would take too long. */
const maxBeside = 200;

/** The language that a page names for a code block: inside it, on it, or on the wrappers around it; "" for none. */
export function languageOf(pre: Element): string {
  const elements = elementsAround(pre);
  for (const element of elements) {
    const language = languageSaid(element);
    if (language !== undefined) return notALanguage.test(language) ? "" : languageNamed(language);
  }
  for (const element of elements) {
    const language = languageHinted(element);
    if (language !== undefined) return languageNamed(language);
  }
  return "";
}

/** The elements that may name the language, innermost first. */
function elementsAround(pre: Element): Element[] {
  let inner: Element | undefined;
  walkNodes(pre, (node) => {
    if (isElement(node) && node.name === "code") inner = node;
    return inner === undefined;
  });
  const elements = inner === undefined ? [pre] : [inner, pre];
  for (let node = pre.parent; node !== null && elements.length < maxWrappers; node = node.parent) {
    if (!isElement(node) || node.name === "body" || node.name === "article" || node.name === "main") break;
    // A wrapper that contains more than this block is about something else.
    if (holdsMore(node)) break;
    elements.push(node);
  }
  return elements;
}

function holdsMore({ children }: Element): boolean {
  let blocks = 0;
  if (children.length > maxBeside) return true;
  return children.some((child) => isElement(child) && child.name === "pre" && ++blocks > 1);
}

function languageSaid({ attribs }: Element): string | undefined {
  for (const key of languageAttributes) {
    const named = attribs[key]?.replace(/^brush:\s*|;.*$/gs, "");
    if (named !== undefined && /^[\w+#.-]{1,30}$/.test(named)) return named;
  }
  const className = attribs["class"];
  return className === undefined ? undefined : languageClass.exec(className)?.[1];
}

/** A known language that is merely one of the class names, or is given as if it were a natural language. */
function languageHinted({ name, attribs }: Element): string | undefined {
  const { lang, class: className } = attribs;
  const isCode = name === "pre" || name === "code";
  if (lang !== undefined && (isCode || name.startsWith("code-")) && isLanguage(lang) && !spoken.has(lang)) return lang;
  if (className === undefined || !(isCode || highlighter.test(className))) return undefined;
  return className
    .split(/\s+/)
    .map((word) => word.replace(/^hl-/, ""))
    .find(isLanguage);
}
