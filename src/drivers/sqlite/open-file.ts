/** Notices that a database file was deleted or replaced while it is open: what is written to it is lost at the end. */

import { type Stats, statSync } from "node:fs";

export interface OpenFile {
  /** @throws if the path does not lead to the file any more */
  check(): void;
}

/** It is looked at no more often than this. */
const lookEveryMs = 100;

/** The file that has just been opened at the path. */
export function openFile(path: string): OpenFile {
  const opened = look(path);
  let lookedAt = performance.now();
  let isGone = false;
  return {
    check() {
      const now = performance.now();
      if (now - lookedAt > lookEveryMs) {
        lookedAt = now;
        isGone = isOther(opened, look(path));
      }
      if (isGone) throw new Error(`The database ${path} was deleted or replaced while it was open.`);
    },
  };
}

/** Undefined if there is no file at the path, null if that cannot be told. */
function look(path: string): Stats | undefined | null {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

/** Some network file systems give the same file another number after a while, but not another age. */
function isOther(opened: Stats | undefined | null, found: Stats | undefined | null): boolean {
  if (found === undefined) return true;
  if (!opened || !found) return false;
  return found.ino !== opened.ino && found.birthtimeMs !== opened.birthtimeMs;
}
