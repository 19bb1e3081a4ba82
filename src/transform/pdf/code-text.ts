/** The text of a block of code. */

import type { TextBlock } from "./blocks.ts";
import type { Piece } from "./pieces.ts";

/** The lines of code, indented as on the page. */
export function codeText({ lines }: TextBlock): string {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const characters = lines.reduce(
    (sum, { cells }) => sum + cells.reduce((all, { pieces }) => all + lengthOf(pieces), 0),
    0,
  );
  const width = lines.reduce((sum, { cells }) => sum + cells.reduce((all, cell) => all + cell.right - cell.left, 0), 0);
  const each = width / Math.max(1, characters) || 1;
  return lines
    .map((line, index) => {
      const above = lines[index - 1];
      const isApart = above !== undefined && line.y - above.y > line.fontSize * 1.9;
      let text = "";
      for (const cell of line.cells) {
        const column = Math.round((cell.left - left) / each);
        text += " ".repeat(Math.min(200, Math.max(text === "" ? 0 : 1, column - text.length)));
        text += cell.pieces.map((piece) => piece.text).join("");
      }
      return (isApart ? "\n" : "") + text.trimEnd();
    })
    .join("\n");
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
