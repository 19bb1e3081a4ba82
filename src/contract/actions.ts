/** What to do on a page, in order, before its content is taken. */
import { z } from "zod";
import { list } from "./list.ts";
import { rule } from "./rule.ts";

/** Most actions of one page. */
export const maxActions = 50;
/** Milliseconds that the waits of one page may take together, `waitFor` included. */
export const maxWaitTotal = 60_000;
/** Milliseconds that a wait for a selector counts in that sum. */
export const selectorWaitCost = 1000;

const selector = z.string().min(1).max(2000);

/** Paper formats of the `pdf` action. */
export const paperFormats = ["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"] as const;

const wait = z
  .strictObject({
    type: z.literal("wait"),
    /** How long to wait, 1 to 60000 milliseconds. Either this or `selector`. */
    milliseconds: z.int().min(1).max(maxWaitTotal).optional(),
    /** CSS selector to wait for, until an element matches. Either this or `milliseconds`. */
    selector: selector.optional(),
  })
  .check(
    rule(["milliseconds", "selector"], [], "must have either milliseconds or selector", (action) => {
      return (action.milliseconds === undefined) !== (action.selector === undefined);
    }),
  );

const click = z.strictObject({
  type: z.literal("click"),
  /** CSS selector of the element. No match fails the page, unless `all` is set. */
  selector,
  /**
   * Click every match, not only the first.
   * @default false
   */
  all: z.boolean().default(false),
});

const screenshot = z.strictObject({
  type: z.literal("screenshot"),
  /**
   * Picture the whole page, not only what the window shows.
   * @default false
   */
  fullPage: z.boolean().default(false),
  /** Quality of the picture, 1 to 100; makes it a JPEG. Default: a lossless PNG. */
  quality: z.int().min(1).max(100).optional(),
});

const write = z.strictObject({
  type: z.literal("write"),
  /** Text to type into the focused element; focus one with `click` first. At most 100,000 characters. */
  text: z.string().max(100_000),
});

const press = z.strictObject({
  type: z.literal("press"),
  /** One key by its name: `Enter`, `ArrowDown`, `a`. */
  key: z.string().min(1).max(100),
});

const scroll = z.strictObject({
  type: z.literal("scroll"),
  /**
   * Which way: `up` or `down`.
   * @default "down"
   */
  direction: z.enum(["up", "down"]).default("down"),
  /** CSS selector of the element to scroll. Default: the page. */
  selector: selector.optional(),
});

const scrape = z.strictObject({
  /** Keeps the address and HTML of this moment in `actions.scrapes`. */
  type: z.literal("scrape"),
});

const executeJavascript = z.strictObject({
  type: z.literal("executeJavascript"),
  /** Code to run in the page; what it returns is kept in `actions.javascriptReturns`. At most 100,000 characters. */
  script: z.string().min(1).max(100_000),
});

const pdf = z.strictObject({
  type: z.literal("pdf"),
  /**
   * Paper: A0 to A6, Letter, Legal, Tabloid, Ledger.
   * @default "Letter"
   */
  format: z.enum(paperFormats).default("Letter"),
  /**
   * Print across the long side.
   * @default false
   */
  landscape: z.boolean().default(false),
  /**
   * Size of the content, 0.1 to 2.
   * @default 1
   */
  scale: z.number().min(0.1).max(2).default(1),
});

const kinds = [wait, click, screenshot, write, press, scroll, scrape, executeJavascript, pdf] as const;
const kindNames = kinds.map((kind) => kind.shape.type.value);

const action = z.discriminatedUnion("type", kinds, {
  error: (issue) => (issue.code === "invalid_union" ? `must be one of ${kindNames.join(", ")}` : undefined),
});

/** Up to {@link maxActions} actions. */
export const actions = list(action, maxActions);

/** One action as a caller writes it. */
export type Action = z.input<typeof action>;
/** One action with its defaults. */
export type ParsedAction = z.output<typeof action>;

/** Milliseconds that these actions wait, by the rule of {@link maxWaitTotal}. */
export function waitTotal(steps: readonly ParsedAction[]): number {
  let total = 0;
  for (const step of steps) if (step.type === "wait") total += step.milliseconds ?? selectorWaitCost;
  return total;
}
