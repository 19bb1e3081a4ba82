/** Rules between the scrape options. */
import { maxWaitTotal, waitTotal } from "./actions.ts";
import type { Format } from "./formats.ts";
import { rule, whenListsSound } from "./rule.ts";
import type { ScrapeOptionValues } from "./scrape-options.ts";

type Values = Pick<ScrapeOptionValues, "waitFor" | "timeout" | "actions" | "jsonOptions" | "extract"> & {
  formats: readonly Format[];
};

/** A rule about the formats, whatever else is in the list. */
function formatRule(at: keyof Values, message: string, holds: (values: Values) => boolean) {
  return rule<Values>(["formats"], [at], message, holds, whenListsSound(["formats"]));
}

/** A format and its options, each of which needs the other. */
function pair(format: Format, options: "jsonOptions" | "extract") {
  return [
    formatRule(options, `is required by the format ${format}`, (values) => {
      return !values.formats.includes(format) || values[options] !== undefined;
    }),
    formatRule("formats", `must have ${format} when ${options} is given`, (values) => {
      return values[options] === undefined || values.formats.includes(format);
    }),
  ];
}

/** For `schema.check(...)` of every object that has the scrape options among its fields. */
export const scrapeRules = [
  ...pair("json", "jsonOptions"),
  ...pair("extract", "extract"),
  formatRule("formats", "must have markdown for changeTracking", ({ formats }) => {
    return !formats.includes("changeTracking") || formats.includes("markdown");
  }),
  rule<Values>(
    ["waitFor", "timeout"],
    ["waitFor"],
    ({ timeout }) => `must be at most half of timeout, which is ${timeout}`,
    ({ waitFor, timeout }) => waitFor <= timeout / 2,
  ),
  rule<Values>(
    ["waitFor", "actions"],
    ["actions"],
    `must wait at most ${maxWaitTotal} milliseconds in all, waitFor included`,
    ({ waitFor, actions = [] }) => actions.length === 0 || waitFor + waitTotal(actions) <= maxWaitTotal,
  ),
];
