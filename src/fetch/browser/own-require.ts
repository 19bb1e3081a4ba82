/** How the optional packages of the browser are asked for: from where this package is. */
import { createRequire } from "node:module";

/**
 * Created at each use. Of a program that a bundler makes CommonJS of, modules have no address (`import.meta.url`), but
 * a file.
 */
export function ownRequire(): NodeJS.Require {
  return createRequire(import.meta.url ?? __filename);
}
