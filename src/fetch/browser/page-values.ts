/** Serialises values inside the page, so that values that are too large or too deep do not leave it. */

export interface JsonForm {
  /** Absent for a value that has no JSON form, such as a function. */
  readonly text?: string;
  readonly isTooLarge?: boolean;
  readonly isTooDeep?: boolean;
}

/**
 * A function for the page, called on the value with the most characters and the greatest depth; its result is a
 * {@link JsonForm}. It throws where the value does when it is read, and for what is no plain data: a circle, a window.
 *
 * Old libraries give lists and texts a `toJSON` of their own, which is passed over. Nothing of the page is used but
 * `JSON`, `Array.isArray` and `RangeError`.
 */
export const asJson = `function (maxLength, maxDepth) {
  "use strict";
  const path = [];
  let depth = 0;
  let left = maxLength;
  let excess;
  function replace(key, value) {
    const own = this[key];
    const shown = typeof own === "object" && !Array.isArray(own) ? value : own;
    while (depth > 0 && path[depth - 1] !== this) depth -= 1;
    left -= 1;
    if (left < 0) excess = { isTooLarge: true };
    else if (depth > maxDepth) excess = { isTooDeep: true };
    if (excess) throw excess;
    if (typeof shown === "object" && shown !== null) path[depth++] = shown;
    return shown;
  }
  try {
    const text = JSON.stringify(this, replace);
    return typeof text === "string" && text.length > maxLength ? { isTooLarge: true } : { text };
  } catch (error) {
    if (excess) return excess;
    if (error instanceof RangeError) return { isTooLarge: true };
    throw error;
  }
}`;

/** Returns the value itself, which the browser serialises without the page's help: a date becomes an empty object. */
export const asItIs = `function () { return this; }`;
