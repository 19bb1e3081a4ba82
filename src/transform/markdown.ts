// Writes a tree as CommonMark with the tables, strikethrough, task lists and footnotes of GFM.

import type { Element, Text } from "domhandler";
import type { Content, MarkdownContext, MarkdownOptions } from "./markdown-context.ts";
import { type BreakStyle, InlineRun } from "./markdown-inline.ts";
import { MarkdownOutput } from "./markdown-output.ts";
import { ruleFor } from "./markdown-rules.ts";
import { isElement } from "./walk.ts";

/**
 * The markdown of everything below `root`.
 *
 * The tree comes from `readHtml`, whose depth is bounded: the writer follows it by calls.
 *
 * @example
 * toMarkdown(readHtml("<h1>Kettle</h1><p>1.5 l, <b>steel</b>").document); // "# Kettle\n\n1.5 l, **steel**"
 */
export function toMarkdown(root: Content, options: MarkdownOptions = {}): string {
  const writer = new MarkdownWriter(options);
  writer.children(root);
  writer.boundary();
  return writer.output.toString();
}

class MarkdownWriter implements MarkdownContext {
  readonly options: MarkdownOptions;
  readonly output = new MarkdownOutput();
  readonly memory = new Map<symbol, unknown>();
  run = new InlineRun();
  flat = false;
  #links = new Map<Element, { href: string; title: string }>();

  constructor(options: MarkdownOptions) {
    this.options = options;
  }

  children(content: Content): void {
    for (const child of content.children) {
      if (child.type === "text") this.run.text((child as Text).data);
      else if (isElement(child)) this.#element(child);
      else if ("children" in child) this.children(child);
    }
  }

  #element(element: Element): void {
    const link = this.#links.size > 0 ? this.#links.get(element) : undefined;
    if (link === undefined) {
      ruleFor(element)(this, element);
      return;
    }
    this.boundary();
    this.run.openLink(link.href, link.title);
    ruleFor(element)(this, element);
    this.boundary();
    this.run.closeLink();
  }

  boundary(): void {
    if (this.flat) {
      this.run.break();
      return;
    }
    if (this.run.isEmpty) return;
    const paragraph = this.run.take("paragraph");
    if (paragraph !== "") this.output.write(paragraph);
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

  linkLater(element: Element, href: string, title: string): void {
    this.#links.set(element, { href, title });
  }
}
