/**
 * Tells whether the prompts of an extract ask for something else than what a page declares, so that only a model can
 * answer: "prices in cents", "jobs in Berlin".
 */
import type { JsonSchema } from "../contract/schema-option.ts";
import { withoutEnding } from "../shared/word-endings.ts";
import { isObject } from "./json-value.ts";
import { PlainWords, stems, wordsOf } from "./plain-words.ts";
import { allSchemas } from "./schema-walk.ts";

interface PromptConditions {
  /** Declared values may have to be changed, left out or ordered. */
  readonly changes: boolean;
  /** Only some of the declared things may be wanted. */
  readonly selects: boolean;
}

/** Words that set no condition in requests about a whole page, besides the plain ones. */
const requestWords: ReadonlySet<string> = stems(
  "please extract get give take find return read show tell fetch scrape collect i me need want what how much many there " +
    "data detail information info field schema json structured following object array below above include including " +
    // Rules for the answer, as they are added to requests
    "if missing unknown available null empty leave do don t not never invent guess make up hallucinate only use using " +
    "output respond answer format accurate accurately precise precisely exactly carefully unavailable found",
);

/** Words with which a request changes what the page declares, or orders it. */
const changing = new RegExp(
  String.raw`\b(?:without|excluding|excl|before|after|per|except|convert\w*|translat\w*|discount\w*|original|instead|` +
    String.raw`monthly|yearly|total|average|short|brief|words|sentences?|uppercase|lowercase|unless|round\w*|` +
    "under|over|between|than|at (?:most|least)|latest|newest|oldest|cheapest|lowest|highest|" +
    String.raw`old|previous|former|exclud\w*|ignor\w*|skip|sort\w*|rank\w*|limit\w*|incl\w*\.? (?:of |the )?(?:tax\w*|vat|shipping)|` +
    "only (?:those|the|products?|items?|jobs?|in|with|for|from)|not (?:in|those|the)|" +
    String.raw`(?:in|into|as|to) (?:english|german|french|spanish|italian|usd|eur|gbp|us dollars?|dollars?|euros?|pounds?|cents?|pence|yen))\b`,
  "gi",
);

export function promptConditions(schema: JsonSchema, prompts: readonly (string | undefined)[]): PromptConditions {
  const names = new PlainWords(namesWithin(schema));
  const asked = prompts.filter((text) => text !== undefined);
  const { title, description } = schema;
  const ownTexts = [title, description].filter((text) => typeof text === "string");
  const found = [...asked, ...ownTexts].flatMap((text) => text.match(changing) ?? []);
  return {
    // A field may be called `average_rating`.
    changes: found.some((words) => !wordsOf(words).every((word) => names.has(word))),
    selects: asked.flatMap(wordsOf).some((word) => !names.has(word) && !requestWords.has(withoutEnding(word))),
  };
}

/** The names of all properties in a schema. */
function namesWithin(schema: JsonSchema): string[] {
  return allSchemas(schema).flatMap((node) =>
    typeof node !== "boolean" && isObject(node["properties"]) ? Object.keys(node["properties"]) : [],
  );
}
