// Converts a tree to CommonMark with the tables, strikethrough, task lists and footnotes of GFM.

import type { ChildNode, Element, ParentNode, Text } from "domhandler";
import { finish, type Steps } from "../../shared/turn.ts";
import { isElement } from "../html/walk.ts";
import type { Content, MarkdownContext, MarkdownOptions, MarkdownRule } from "./context.ts";
import { shownText } from "./counters.ts";
import { writeNote } from "./footnotes.ts";
import { hasGapBefore, hasGapBeforeText } from "./gaps.ts";
import { InlineRun } from "./inline.ts";
import { writeText } from "./math.ts";
import { MarkdownOutput } from "./output.ts";
import { pageRules } from "./page-rules.ts";
import { block, setApart } from "./plain-rules.ts";
import { Repetition } from "./repetition.ts";
import { lineBreak, ruleFor } from "./rules.ts";
import type { BreakStyle } from "./tokens.ts";
import { keepsLines } from "./white-space.ts";

/**
 * The markdown of everything below `root`.
 *
 * The tree comes from `readHtml`, which limits its depth, because the writer is recursive.
 *
 * @example
 * toMarkdown(readHtml("<h1>Kettle</h1><p>1.5 l, <b>steel</b>").document); // "# Kettle\n\n1.5 l, **steel**"
 */
export function toMarkdown(root: ParentNode, options: MarkdownOptions = {}): string {
  return finish(markdownInSteps(root, options));
}

/** {@link toMarkdown} in steps, between which other work gets its turn. */
export function* markdownInSteps(root: ParentNode, options: MarkdownOptions): Steps<string> {
  const { rules, texts, notes } = pageRules(root, options.pageUrls);
  const writer = new MarkdownWriter(options, rules, texts);
  yield;
  yield* writer.steps(root, 0);
  writer.boundary();
  for (const { content, label } of notes) writeNote(writer, content, label);
  return writer.output.toString();
}

/** Checking the clock costs as much as writing a short node. */
const nodesOfStep = 16;
/** Each level above a step costs a little; blocks of a page are seldom deeper. */
const deepestStep = 24;

/** What is left of a line of links that were removed. */
const separators: ReadonlySet<string> = new Set(["·", "|", "\\|"]);
/** Only short texts are looked up: that takes the hash of the whole text. */
const isSeparator = (text: string): boolean => text.length <= 2 && separators.has(text);

class MarkdownWriter implements MarkdownContext {
  readonly options: MarkdownOptions;
  readonly repetition: Repetition;
  readonly output: MarkdownOutput;
  readonly memory = new Map<symbol, unknown>();
  run: InlineRun;
  flat = false;
  keepsLines = false;
  readonly overrides: Map<Element, MarkdownRule>;
  readonly #texts: ReadonlyMap<Text, string>;
  /** Number of nodes written, of those after which a step may end. */
  #written = 0;

  constructor(options: MarkdownOptions, overrides: Map<Element, MarkdownRule>, texts: ReadonlyMap<Text, string>) {
    this.options = options;
    this.repetition = options.repetition ?? new Repetition();
    this.output = new MarkdownOutput(this.repetition);
    this.run = new InlineRun(this.repetition);
    this.overrides = overrides;
    this.#texts = texts;
  }

  children(content: Content): void {
    const outer = this.#enter(content);
    for (const child of content.children) this.#node(child);
    this.keepsLines = outer;
  }

  /** {@link children} in steps that end between blocks, `depth` levels below the root. */
  *steps(content: Content, depth: number): Steps<void> {
    const outer = this.#enter(content);
    const { children } = content;
    // An iterator would leave an object for each child: generators are not optimised that far.
    for (let index = 0; index < children.length; index++) {
      const child = children[index]!;
      const rule = isElement(child) && depth < deepestStep ? this.#rule(child) : undefined;
      if (rule === block) {
        setApart(this);
        yield* this.steps(child as Element, depth + 1);
        setApart(this);
      } else if (rule !== undefined) rule(this, child as Element);
      else this.#node(child);
      if (++this.#written % nodesOfStep === 0) yield;
    }
    this.keepsLines = outer;
  }

  #enter(content: Content): boolean {
    const outer = this.keepsLines;
    if (isElement(content as ParentNode)) this.keepsLines = keepsLines(content as Element) ?? outer;
    return outer;
  }

  #node(node: ChildNode): void {
    if (node.type === "text") {
      const last = node.prev === null ? "" : this.run.lastCharacter;
      if (last !== "" && hasGapBeforeText(node as Text, last)) this.run.space();
      this.#text(this.#shown(node as Text));
    } else if (isElement(node)) this.#rule(node)(this, node);
    else if ("children" in node) this.children(node);
  }

  #shown(text: Text): string {
    return (this.#texts.size > 0 ? this.#texts.get(text) : undefined) ?? shownText(text);
  }

  /** The rule for the element; also writes the space before it. */
  #rule(element: Element): MarkdownRule {
    const rule = this.overrides.size > 0 ? this.overrides.get(element) : undefined;
    if (rule !== undefined) return rule;
    if (element.prev !== null && this.run.lastCharacter !== "" && hasGapBefore(element, this.run.lastCharacter)) {
      this.run.space();
    }
    return ruleFor(element);
  }

  #text(text: string): void {
    if (!this.keepsLines || !text.includes("\n")) {
      writeText(this, text);
      return;
    }
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) lineBreak(this);
      writeText(this, line);
    }
  }

  boundary(): void {
    if (this.flat) {
      this.run.break();
      return;
    }
    if (this.run.isEmpty) return;
    const paragraph = this.run.take("paragraph");
    if (paragraph !== "" && !isSeparator(paragraph)) this.output.write(paragraph);
  }

  block(markdown: string): void {
    this.boundary();
    this.output.write(markdown);
  }

  line(content: Content, style: BreakStyle): string {
    const { run } = this;
    this.run = run.derive();
    this.flatten(content);
    const line = this.run.take(style);
    this.run = run;
    return line;
  }

  flatten(content: Content): void {
    const { flat } = this;
    this.flat = true;
    this.children(content);
    this.flat = flat;
  }
}
