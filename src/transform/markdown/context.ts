// The interface of the markdown writer for its rules.

import type { ChildNode, Element } from "domhandler";
import type { InlineRun } from "./inline.ts";
import type { MarkdownOutput } from "./output.ts";
import type { Repetition } from "./repetition.ts";
import type { BreakStyle } from "./tokens.ts";

export interface MarkdownOptions {
  /** Addresses of the page itself, without fragment, as in the tree's links: they identify links within the page. */
  readonly pageUrls?: readonly string[] | undefined;
  /** Pictures embedded as data become a placeholder with their alt text. */
  readonly removeBase64Images?: boolean | undefined;
  /** Limits what is repeated; by default, for a page of no size. */
  readonly repetition?: Repetition | undefined;
}

/** An element, or nodes that are written as if they were the whole content of one. */
export interface Content {
  readonly children: readonly ChildNode[];
}

/** The state of the writer at one element. */
export interface MarkdownContext {
  readonly options: MarkdownOptions;
  readonly output: MarkdownOutput;
  readonly repetition: Repetition;
  /** The inline content that is being collected. */
  readonly run: InlineRun;
  /** Inside a table cell, a heading or the like, where blocks become parts of one line. */
  readonly flat: boolean;
  /** A style sheet keeps the line ends of the text. */
  readonly keepsLines: boolean;
  /** Writes what is inside an element. */
  children(content: Content): void;
  /** Ends the paragraph (or, when flat, the part of the line). */
  boundary(): void;
  /** Adds a finished block below the present output. */
  block(markdown: string): void;
  /** Writes what is inside an element as one line, and returns it. */
  line(content: Content, style: BreakStyle): string;
  /** Writes what is inside an element as parts of the present line. */
  flatten(content: Content): void;
  /** Rules for individual elements, which replace those for their names. */
  readonly overrides: Map<Element, MarkdownRule>;
  /** What rules remember for later elements, such as the last list. */
  readonly memory: Map<symbol, unknown>;
}

/** How one element is written. */
export type MarkdownRule = (context: MarkdownContext, element: Element) => void;
