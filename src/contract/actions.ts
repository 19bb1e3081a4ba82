/** Actions: what to do on a page, in order, before its content is read. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { list } from "./list.ts";
import { rule } from "./rule.ts";
import { wholeNumber } from "./whole-number.ts";

/** Most actions for one page. */
export const maxActions = 50;
/** Most milliseconds that all waits on one page may take together, including `waitFor`. */
export const maxWaitTotal = 60_000;
/** Milliseconds that a wait for a selector counts for in that sum. */
const selectorWaitCost = 1000;

/** Paper formats of the `pdf` action. */
const paperFormats = ["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"] as const;

/** Waits for a time, or for an element to appear. */
interface WaitAction {
  type: "wait";
  /** How long to wait, 1 to 60000 milliseconds. Give either this or `selector`. */
  milliseconds?: number | undefined;
  /** CSS selector; waits until an element matches it. Give either this or `milliseconds`. */
  selector?: string | undefined;
}

/** Clicks an element, or every matching one. */
interface ClickAction {
  type: "click";
  /**
   * CSS selector of the element, 1 to 2000 characters; the first visible match is clicked. Without a match the page
   * fails, unless `all` is set.
   */
  selector: string;
  /**
   * Click every visible match instead of the first. More than 1000 fail the page.
   * @default false
   */
  all?: boolean | undefined;
}

/** Takes a picture, which is added to `actions.screenshots`. */
interface ScreenshotAction {
  type: "screenshot";
  /**
   * Capture the whole page instead of the visible part.
   * @default false
   */
  fullPage?: boolean | undefined;
  /** Quality of a JPEG, 1 to 100. Default: a lossless PNG. */
  quality?: number | undefined;
}

/** Types text into the element that has the focus. */
interface WriteAction {
  type: "write";
  /** Text to type into the element that has the focus; use `click` to focus one. At most 100,000 characters. */
  text: string;
}

/** Presses a key. */
interface PressAction {
  type: "press";
  /** The name of one key, `Enter` or `ArrowDown`, or one character: `a`, `é`. */
  key: string;
}

/** Scrolls the page, or an element in it. */
interface ScrollAction {
  type: "scroll";
  /**
   * `up` or `down`.
   * @default "down"
   */
  direction?: "up" | "down" | undefined;
  /** CSS selector of the element to scroll: the first visible match. Default: the page. */
  selector?: string | undefined;
}

/** Adds the page's current address and HTML to `actions.scrapes`. */
interface ScrapeAction {
  type: "scrape";
}

/** Runs a script in the page; its value is added to `actions.javascriptReturns`. */
interface ExecuteJavascriptAction {
  type: "executeJavascript";
  /** 1 to 100,000 characters. */
  script: string;
}

/** Prints the page to a PDF, which is added to `actions.pdfs`. */
interface PdfAction {
  type: "pdf";
  /**
   * Paper size: A0 to A6, Letter, Legal, Tabloid, Ledger.
   * @default "Letter"
   */
  format?: (typeof paperFormats)[number] | undefined;
  /**
   * Print in landscape orientation.
   * @default false
   */
  landscape?: boolean | undefined;
  /**
   * Scale of the content, 0.1 to 2.
   * @default 1
   */
  scale?: number | undefined;
}

/** One action as a caller writes it. */
export type Action =
  | WaitAction
  | ClickAction
  | ScreenshotAction
  | WriteAction
  | PressAction
  | ScrollAction
  | ScrapeAction
  | ExecuteJavascriptAction
  | PdfAction;

/** One action with its defaults. */
export type ParsedAction =
  | WaitAction
  | Filled<ClickAction>
  | Filled<ScreenshotAction, "quality">
  | WriteAction
  | PressAction
  | Filled<ScrollAction, "selector">
  | ScrapeAction
  | ExecuteJavascriptAction
  | Filled<PdfAction>;

export const actionSelector = z.string().min(1).max(2000);
const code = z.string().min(1).max(100_000);

const kinds = [
  z
    .strictObject({
      type: z.literal("wait"),
      milliseconds: wholeNumber().min(1).max(maxWaitTotal).optional(),
      selector: actionSelector.optional(),
    } satisfies Fields<WaitAction>)
    .check(
      rule(["milliseconds", "selector"], [], "must have either milliseconds or selector", (action) => {
        return (action.milliseconds === undefined) !== (action.selector === undefined);
      }),
    ),
  z.strictObject({
    type: z.literal("click"),
    selector: actionSelector,
    all: z.boolean().default(false),
  } satisfies Fields<ClickAction>),
  z.strictObject({
    type: z.literal("screenshot"),
    fullPage: z.boolean().default(false),
    quality: wholeNumber().min(1).max(100).optional(),
  } satisfies Fields<ScreenshotAction>),
  z.strictObject({ type: z.literal("write"), text: z.string().max(100_000) } satisfies Fields<WriteAction>),
  z.strictObject({ type: z.literal("press"), key: z.string().min(1).max(100) } satisfies Fields<PressAction>),
  z.strictObject({
    type: z.literal("scroll"),
    direction: z.enum(["up", "down"]).default("down"),
    selector: actionSelector.optional(),
  } satisfies Fields<ScrollAction>),
  z.strictObject({ type: z.literal("scrape") } satisfies Fields<ScrapeAction>),
  z.strictObject({ type: z.literal("executeJavascript"), script: code } satisfies Fields<ExecuteJavascriptAction>),
  z.strictObject({
    type: z.literal("pdf"),
    format: z.enum(paperFormats).default("Letter"),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  } satisfies Fields<PdfAction>),
] as const;

const kindNames = kinds.map((kind) => kind.shape.type.value).join(", ");

const action: z.ZodType<ParsedAction, Action> = z.discriminatedUnion("type", kinds, {
  error: (issue) => (issue.code === "invalid_union" ? `must be one of ${kindNames}` : undefined),
});

/** Up to {@link maxActions} actions. */
export const actions = list(action, maxActions);

/** Milliseconds that these actions count for towards {@link maxWaitTotal}. */
export function waitTotal(steps: readonly ParsedAction[]): number {
  let total = 0;
  for (const step of steps) if (step.type === "wait") total += step.milliseconds ?? selectorWaitCost;
  return total;
}
