/** Files that Chromium leaves behind. */
import { lstat, readdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Removes the files that a Chromium leaves in the folder for temporary files when one of its processes dies between making
 * a piece of shared memory and unlinking its file: empty ones, or with their room on the disk already. All of them are
 * meant to be unlinked at once, so it does no harm if one belongs to another browser.
 *
 * @param since when the browser was started, milliseconds since 1970
 */
export async function removeLeftFiles(since: number): Promise<void> {
  const folder = tmpdir();
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/^\.org\.chromium\.Chromium\.\w{6}$/.test(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs >= since) await unlink(path).catch(() => {});
  }
}
