/** Notices that a database file was deleted or replaced while it is open: what is written to it is lost at the end. */

import { statSync } from "node:fs";

export interface OpenFile {
  /** @throws if the path does not lead to the file any more */
  check(): void;
}

/** It is looked at no more often than this. */
const lookEveryMs = 100;

/** The file that has just been opened at the path. */
export function openFile(path: string): OpenFile {
  const opened = inodeAt(path);
  let lookedAt = performance.now();
  let isGone = false;
  return {
    check() {
      const now = performance.now();
      if (now - lookedAt > lookEveryMs) {
        lookedAt = now;
        isGone = inodeAt(path) !== opened;
      }
      if (isGone) throw new Error(`The database ${path} was deleted or replaced while it was open.`);
    },
  };
}

/** What tells files apart; undefined if there is none at the path. */
function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
