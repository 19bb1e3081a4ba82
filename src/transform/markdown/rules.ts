// The rules by element name. Elements without a rule are inline and leave only their content.

import type { ChildNode, Element, ParentNode } from "domhandler";
import { headingElements, headingLevel } from "../html/elements.ts";
import { following, isElement, isWrittenText, parentElement, someElement, textContent } from "../html/walk.ts";
import { ariaTableRule } from "./aria-table.ts";
import { classRule } from "./class-rules.ts";
import { writeCode, writePreformatted } from "./code.ts";
import type { MarkdownContext, MarkdownRule } from "./context.ts";
import { writeDefinitions, writeDefinitionTerm } from "./definitions.ts";
import { writeApart } from "./gaps.ts";
import { writeLink } from "./link.ts";
import { writeItem, writeList } from "./list.ts";
import { mathRule } from "./math.ts";
import { writeEmbed, writeImage, writeMedia, writeObject } from "./media.ts";
import { enlargesPicture, writePictures } from "./picture-buttons.ts";
import { block, boldLine, skip } from "./plain-rules.ts";
import { markdownHeading } from "./plain-to-markdown.ts";
import { isOnlySpoken } from "./spoken.ts";
import { writeTable } from "./table.ts";
import { isRoleBox, writeBox, writeRoleBox } from "./tasks.ts";
import type { Format } from "./tokens.ts";

const format =
  (name: Format): MarkdownRule =>
  (context, element) => {
    context.run.open(name);
    context.children(element);
    context.run.close(name);
  };

const bold = format("strong");

const strong: MarkdownRule = (context, element) => {
  // Some editors wrap whole documents in a `b` that is not bold.
  if (/font-weight:\s*(?:normal|400)/i.test(element.attribs["style"] ?? "")) context.children(element);
  else bold(context, element);
};

const heading =
  (level: number): MarkdownRule =>
  (context, element) => {
    if (context.flat) return block(context, element);
    // Renderers of GFM put their own heading above the footnotes.
    if (element.attribs["id"]?.endsWith("footnote-label")) return;
    context.boundary();
    const text = withoutRest(element, context.line(element, "line"));
    if (text === "") return;
    const allBold = /^\*\*([^*]+)\*\*$/.exec(text);
    context.output.write(markdownHeading(level, allBold?.[1] ?? text));
  };

/** The signs that separated the buttons of a heading, which are left out, say nothing. */
function withoutRest(element: Element, text: string): string {
  let end = text.length;
  while (end > 1 && separators.includes(text[end - 1]!) && text[end - 2] === " ") end -= 2;
  return end < text.length && someElement(element, isButton) ? text.slice(0, end) : text;
}

const separators = "-–—|·•/";
const isButton = ({ name }: Element): boolean => name === "button";

const headings: readonly MarkdownRule[] = [1, 2, 3, 4, 5, 6].map(heading);

const quote: MarkdownRule = (context, element) => {
  if (context.flat) {
    block(context, element);
    return;
  }
  context.boundary();
  context.output.open("> ", "> ");
  context.children(element);
  context.boundary();
  context.output.close();
};

/** A line end; two of them begin a new paragraph. */
export const lineBreak = (context: MarkdownContext): void => {
  if (!context.flat && context.run.endsInBreak) context.boundary();
  else context.run.break();
};

const rule: MarkdownRule = (context) => {
  if (context.flat) return context.boundary();
  // `- ---` would be one rule, not a rule in a list.
  context.boundary();
  context.output.write(context.output.atMarker ? "___" : "---");
};

const inlineQuote: MarkdownRule = (context, element) => {
  context.run.text("“");
  context.children(element);
  context.run.text("”");
};

const button: MarkdownRule = (context, element) => {
  if (isRoleBox(element)) return writeRoleBox(context, element);
  if (enlargesPicture(element)) return writePictures(context, element);
  if (/^\s*cop(?:y|ied)(?: code| to clipboard)?!?\s*$/i.test(textContent(element, 40))) return;
  if (isOnlySpoken(element) || isBesideTitle(element)) return;
  context.run.space();
  context.children(element);
  context.run.space();
};

/** Whether a button is in a heading with other text: it acts on the section, or repeats the text. */
function isBesideTitle(element: Element): boolean {
  let around: ParentNode | null = element.parent;
  for (let step = 1; step < headingReach && around !== null && !isHeading(around); step++) around = around.parent;
  if (around === null || !isHeading(around)) return false;
  let node = around.children[0] ?? null;
  for (let step = 0; step < titleReach && node !== null; step++) {
    if (isWrittenText(node)) return true;
    node = following(node, around, !isElement(node) || node.name !== "button");
  }
  return false;
}

/** How far up from a button a heading is searched for, and in how many nodes of the heading other text is. */
const headingReach = 4;
const titleReach = 100;

const isHeading = (node: ParentNode): boolean => isElement(node) && headingElements.has(node.name);

const input: MarkdownRule = (context, element) => {
  if (element.attribs["type"]?.toLowerCase() === "checkbox")
    writeBox(context, element.attribs["checked"] !== undefined);
};

/** A summary that names no content, only what a click on it does. */
const switchText =
  /^(?:expand|collapse|show|hide|toggle)(?: (?:description|details|content|attributes|more|less|all))?$/i;
const maxSwitch = 30;

const summary: MarkdownRule = (context, element) => {
  if (switchText.test(textContent(element, maxSwitch).trim())) return;
  const isPlain = context.flat || someElement(element, ({ name }) => headingElements.has(name));
  (isPlain ? block : boldLine)(context, element);
};

/**
 * Scripts fill an empty one with the time since then, unless it is for machines, next to a date for readers. Style sheets
 * separate the others from what is beside them.
 */
const time: MarkdownRule = (context, element) => {
  const { datetime, itemprop } = element.attribs;
  const isEmpty = textContent(element, 1000).trim() === "";
  if (!isEmpty) context.run.apart(() => context.children(element));
  else if (datetime !== undefined && itemprop === undefined) context.run.text(datetime.trim());
};

const setBeside: MarkdownRule = (context, element) => context.run.apart(() => context.children(element));

/**
 * Whether style sheets set it apart from what is before it: a label, or the next of several boxes in a line, each with a
 * class of its own. In a paragraph these would be parts of one text.
 */
function isSetApart({ prev, parent }: Element, className: string): boolean {
  if (labelClass.test(className)) return true;
  if (prev === null || !isElement(prev) || prev.name !== "span") return false;
  const other = prev.attribs["class"];
  return (
    other !== undefined && other !== className && parent !== null && "name" in parent && lineBoxes.has(parent.name)
  );
}

const labelClass = /(?:^|[\s_-])(?:label|title)(?:$|\s|--)/;
/** Elements that contain boxes rather than text; in a link they may be the two halves of a name. */
const lineBoxes: ReadonlySet<string> = new Set(["div", "label", "button", "summary", "header", "section"]);

/** Style sheets put the name of who is quoted above what was said; a colon leads to it in the same line. */
const cite: MarkdownRule = (context, element) => {
  context.children(element);
  if (context.run.lastCharacter !== ":" && isAboveQuotation(element)) context.boundary();
};

function isAboveQuotation({ parent, prev, next }: Element): boolean {
  if (next === null || parent === null || !isElement(parent) || (prev !== null && isShown(prev))) return false;
  return parent.name === "blockquote" || (parent.name === "div" && parentElement(parent)?.name === "blockquote");
}

const isShown = (node: ChildNode): boolean => isElement(node) || isWrittenText(node);

/** The reading of a character is written in brackets, as browsers without ruby show it. */
const rubyText: MarkdownRule = (context, element) => {
  const hasBrackets = element.prev !== null && "name" in element.prev && element.prev.name === "rp";
  if (!hasBrackets) context.run.text("(");
  context.children(element);
  if (!hasBrackets) context.run.text(")");
};

const names = (list: string, value: MarkdownRule): [string, MarkdownRule][] =>
  list.split(" ").map((name) => [name, value]);

const rules: ReadonlyMap<string, MarkdownRule> = new Map<string, MarkdownRule>([
  ...names(
    "address article aside body caption center details dialog div fieldset figcaption figure footer form header hgroup " +
      "html legend main nav noscript option p search section tbody td tfoot th thead tr",
    block,
  ),
  ...names("script style head template select datalist svg canvas map noframes link meta title param track", skip),
  ...names("ul ol menu dir", writeList),
  ["li", writeItem],
  ["dl", writeDefinitions],
  ["dt", writeDefinitionTerm],
  ["dd", block],
  ...headings.map((rule, index): [string, MarkdownRule] => [`h${index + 1}`, rule]),
  ["blockquote", quote],
  ["br", lineBreak],
  ["hr", rule],
  ...names("pre listing xmp", writePreformatted),
  ["table", writeTable],
  ["a", writeLink],
  ["img", writeImage],
  ...names("video audio", writeMedia),
  ...names("iframe frame embed", writeEmbed),
  ["object", writeObject],
  ...names("b strong", strong),
  ...names("i em", format("em")),
  ...names("del s strike", format("del")),
  ["sub", format("sub")],
  ["sup", format("sup")],
  ["kbd", format("kbd")],
  ...names("code tt samp", writeCode),
  ["q", inlineQuote],
  ["button", button],
  // Tabs and choices are next to each other.
  ["label", writeApart],
  ["textarea", block],
  ["time", time],
  ["input", input],
  ["cite", cite],
  ["summary", summary],
  ["rt", rubyText],
]);

const inline: MarkdownRule = (context, element) => context.children(element);

/** The rule for an element: for some, classes and attributes take precedence over the name. */
export function ruleFor(element: Element): MarkdownRule {
  if (elementsForAnything.has(element.name)) {
    const math = mathRule(element);
    if (math !== undefined) return math;
    const className = element.attribs["class"];
    const special = className === undefined ? undefined : classRule(element, className);
    if (special !== undefined) return special;
    if (className !== undefined && isDocumentTitle(element, className)) return headings[0]!;
    const role = element.attribs["role"];
    if (role === "tooltip" && isTooltip(element)) return skip;
    if (isRoleBox(element)) return writeRoleBox;
    if (role === "button" && enlargesPicture(element)) return writePictures;
    if (role === "heading") return headings[headingLevel(element.attribs["aria-level"]) - 1]!;
    const part = role === undefined ? undefined : ariaTableRule(element, role);
    if (part !== undefined) return part;
    if (element.name === "span" && className !== undefined && isSetApart(element, className)) return setBeside;
  }
  return rules.get(element.name) ?? inline;
}

/** Some generators of manuals write the title of a page as a plain text: Doxygen, Haddock. */
function isDocumentTitle({ parent }: Element, className: string): boolean {
  if ((className !== "title" && className !== "caption") || parent === null || !isElement(parent)) return false;
  return className === "title" ? parent.attribs["class"] === "headertitle" : parent.attribs["id"] === "module-header";
}

/** A tooltip is small, and nothing in it leads anywhere: some sites give the role to what shows one. */
function isTooltip(element: Element): boolean {
  let elements = 0;
  return !someElement(element, ({ name }) => name === "a" || name === "button" || ++elements > mostOfTooltip);
}

const mostOfTooltip = 30;

/** Elements that pages use for any purpose, and those of formulas. */
const elementsForAnything: ReadonlySet<string> = new Set(["span", "i", "div", "p", "math", "mjx-container"]);
