/**
 * Keeps the name of the dish and the list of ingredients that a page's data declares, whatever their elements are called
 * and wherever they stand.
 */
import { decodeText } from "../../shared/html-references.ts";
import { readJsonLdText } from "../structured-data/json-ld-text.ts";
import { blockText, lettersOf } from "./block-text.ts";
import { jsonLdTexts, markup } from "./json-ld-texts.ts";
import { isControl } from "./keep-ingredients.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";

const INGREDIENTS = "recipeIngredient";
const MAXIMUM_SCRIPT = 200_000;
const MOST_DECLARED = 200;
/** In letters and digits: a shorter text says nothing by itself, as an amount or a unit. */
const SHORTEST = 3;
/** A longer one is no ingredient. */
const LONGEST = 300;
/** Comparisons of letters, at worst: pages may have many texts. */
const MOST_COMPARED = 200_000_000;
/** An ingredient is at least this share of a text that says it: the steps of a recipe name them, too. */
const LEAST_OF_TEXT = 0.5;
/** Most texts in a row within the list that say none: amounts, and the name of what a part of it is for. None is long. */
const MOST_BETWEEN = 2;
/** At least this share of the ingredients is in the list. */
const LEAST_OF_LIST = 0.5;
const LEAST_INGREDIENTS = 2;

/** What the data says, in letters and digits. */
interface Recipes {
  readonly names: Set<string>;
  readonly ingredients: Set<string>;
}

/** Texts that follow each other and say ingredients. */
interface List {
  readonly blocks: number[];
  readonly said: Set<number>;
  kept: number;
}

/**
 * Adds to `keep`, in place: the heading of the first rank that is the name of a dish, and the list of ingredients with
 * the heading above it. `sizes` are the blocks' in words.
 */
export function keepRecipe(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { names, ingredients } = readRecipes(table);
  if (names.size > 0) keepName(table, names, keep);
  if (ingredients.size >= LEAST_INGREDIENTS) keepIngredientList(table, [...ingredients], keep, sizes);
}

/** An article's title is left to its metadata, but a recipe says what it is for. */
function keepName(table: PageTable, names: ReadonlySet<string>, keep: Uint8Array): void {
  const { blockElement, flags, headingRanks } = table;
  const isShown = (block: number): boolean => (flags[blockElement[block]!]! & IN_HIDDEN) === 0;
  const isName = (block: number): boolean =>
    headingRanks[block] === 1 && names.has(lettersOf(blockText(table, block))) && isShown(block);
  const headings = Array.from(keep.keys()).filter(isName);
  if (keep.includes(1) && headings.length > 0 && !headings.some((block) => keep[block] === 1)) keep[headings[0]!] = 1;
}

function keepIngredientList(
  table: PageTable,
  declared: readonly string[],
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const list = findList(table, declared, keep, sizes);
  if (list === undefined || list.said.size < Math.max(LEAST_INGREDIENTS, LEAST_OF_LIST * declared.length)) return;
  const says = new Set(list.blocks);
  for (let block = list.blocks[0]!; block <= list.blocks.at(-1)!; block++) {
    if (says.has(block) || !isControl(table, block)) keep[block] = 1;
  }
  const above = list.blocks[0]! - 1;
  if (above >= 0 && table.headingRanks[above]! > 1) keep[above] = 1;
}

/** The list that says most of the ingredients; of several, one that is kept, as for print or for small screens. */
function findList(
  table: PageTable,
  declared: readonly string[],
  keep: Uint8Array,
  sizes: Float32Array,
): List | undefined {
  const all = declared.join("\n");
  const most = Math.max(...declared.map(({ length }) => length)) / LEAST_OF_TEXT;
  let best: List | undefined;
  let list: List | undefined;
  let compared = 0;
  for (let block = 0; block < keep.length; block++) {
    // A word has a letter at least.
    const text = sizes[block]! > most ? undefined : lettersOf(blockText(table, block, 2 * most));
    if (text === undefined || text.length > most) list = undefined;
    else {
      compared += text.length * all.length;
      if (compared > MOST_COMPARED) break;
      const said = text.length < SHORTEST ? [] : ingredientsIn(text, declared, all);
      if (said.length === 0) continue;
      if (list === undefined || block - list.blocks.at(-1)! > MOST_BETWEEN + 1) {
        list = { blocks: [], said: new Set(), kept: 0 };
      }
      list.blocks.push(block);
      for (const one of said) list.said.add(one);
      list.kept += keep[block]!;
      if (best === undefined || isBetter(list, best)) best = list;
    }
  }
  return best;
}

function isBetter(list: List, other: List): boolean {
  return list.said.size > other.said.size || (list.said.size === other.said.size && list.kept > other.kept);
}

/** Which of the ingredients a text says, or says a part of. */
function ingredientsIn(text: string, declared: readonly string[], all: string): number[] {
  const isPart = all.includes(text);
  const said: number[] = [];
  declared.forEach((one, index) => {
    if (isPart && one.includes(text)) said.push(index);
    else if (one.length >= LEAST_OF_TEXT * text.length && text.includes(one)) said.push(index);
  });
  return said;
}

function readRecipes(table: PageTable): Recipes {
  const recipes = { names: new Set<string>(), ingredients: new Set<string>() };
  for (const text of jsonLdTexts(table)) {
    if (text.length <= MAXIMUM_SCRIPT && text.includes(INGREDIENTS)) addRecipes(readJsonLdText(text), recipes);
  }
  return recipes;
}

/** Adds those that are anywhere in the data. */
function addRecipes(data: unknown, { names, ingredients }: Recipes): void {
  const open: unknown[] = [data];
  for (let index = 0; index < open.length; index++) {
    const value = open[index];
    if (typeof value !== "object" || value === null) continue;
    for (const [property, inner] of Object.entries(value)) {
      if (property === INGREDIENTS) addLetters([inner].flat(), ingredients);
      else open.push(inner);
    }
    if (INGREDIENTS in value && "name" in value) addLetters([value.name], names);
  }
}

function addLetters(values: readonly unknown[], texts: Set<string>): void {
  for (const value of values) {
    if (typeof value !== "string" || texts.size === MOST_DECLARED) continue;
    const letters = lettersOf(decodeText(value.replace(markup, " ")));
    if (letters.length >= SHORTEST && letters.length <= LONGEST) texts.add(letters);
  }
}
