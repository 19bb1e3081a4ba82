/** The length of a pattern with its counted repetitions written out. */

const counted = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y;
/** It stands for no text: a repetition behind it repeats what precedes it, even if that is a repetition. */
const flags = /\(\?[a-z-]+\)/iy;

/**
 * Characters of the pattern with each `x{2,5}` counted five times, nested ones multiplied. Precise enough to refuse a
 * pattern that would fill the memory before it is compiled; takes linear time.
 */
export function expandedSize(pattern: string): number {
  const outer: number[] = [];
  let size = 0;
  let atom = 0;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    flags.lastIndex = index;
    const flag = character === "(" ? flags.exec(pattern) : null;
    if (flag !== null) {
      index += flag[0].length - 1;
      continue;
    }
    if (pattern.startsWith("\\Q", index)) {
      const text = index + 2;
      const end = pattern.indexOf("\\E", text);
      const length = (end < 0 ? pattern.length : end) - text;
      size += length;
      if (length > 0) atom = 1;
      index = text + length + 1;
      continue;
    }
    if (character === "(") {
      outer.push(size);
      size = 0;
      atom = 0;
      continue;
    }
    if (character === ")" && outer.length > 0) {
      atom = size + 1;
      size = outer.pop()! + atom;
      continue;
    }
    counted.lastIndex = index;
    const repetition = character === "{" ? counted.exec(pattern) : null;
    if (repetition !== null) {
      const times = Math.max(1, Number(repetition[2] || repetition[1]));
      size += atom * (times - 1);
      atom *= times;
      index += repetition[0].length - 1;
      continue;
    }
    if (character === "\\") index++;
    else if (character === "[") index = endOfClass(pattern, index);
    atom = 1;
    size++;
  }
  return outer.reduce((sum, part) => sum + part, size);
}

function endOfClass(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === "^") index++;
  if (pattern[index] === "]") index++;
  while (index < pattern.length && pattern[index] !== "]") index += pattern[index] === "\\" ? 2 : 1;
  return index;
}
