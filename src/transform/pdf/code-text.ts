/** The text of a block of code. */

import type { TextBlock } from "./blocks.ts";
import { extentOf } from "./measures.ts";
import { textOf } from "./pieces.ts";

/** The lines of code, indented as on the page. */
export function codeText({ lines }: TextBlock): string {
  const { left } = extentOf(lines);
  const cells = lines.flatMap((line) => line.cells);
  const characters = cells.reduce((sum, { pieces }) => sum + textOf(pieces).length, 0);
  const width = cells.reduce((sum, cell) => sum + cell.right - cell.left, 0);
  const each = width / Math.max(1, characters) || 1;
  return lines
    .map((line, index) => {
      const above = lines[index - 1];
      const isApart = above !== undefined && line.y - above.y > line.fontSize * 1.9;
      let text = "";
      for (const cell of line.cells) {
        const column = Math.round((cell.left - left) / each);
        text += " ".repeat(Math.min(200, Math.max(text === "" ? 0 : 1, column - text.length)));
        text += textOf(cell.pieces);
      }
      return (isApart ? "\n" : "") + text.trimEnd();
    })
    .join("\n");
}
