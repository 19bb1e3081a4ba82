/** Finds a Chromium to use, without starting it: the host's, Playwright's, the system's, or a packaged one. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserType } from "playwright";
import { RequestError } from "../../errors.ts";
import type { BrowserOptions } from "../../options.ts";
import { softwareGraphicsFlags } from "./launch-flags.ts";
import { ownRequire } from "./own-require.ts";

/** A way to a browser. */
export type BrowserSource =
  /** The host's own: used, but never closed. */
  | { readonly kind: "owned"; readonly browser: Browser }
  | { readonly kind: "endpoint"; readonly endpoint: string; readonly chromium: BrowserType }
  | {
      readonly kind: "launch";
      readonly name: string;
      readonly chromium: BrowserType;
      readonly channel?: string;
      readonly flags: readonly string[];
      /** Absent: the executable of the channel. */
      readonly executablePath?: () => Promise<string>;
    };

/** Where distributions and installers put it, apart from the usual folders for programs. */
const systemPaths: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  linux: ["/opt/google/chrome/chrome", "/snap/bin/chromium"],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};
const systemNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const systemFolders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * The first browser that exists, in this order: the one that the options name, the one that Playwright installed, one
 * of the system, `@sparticuz/chromium`. Undefined if there is none, or no Playwright.
 */
export function findBrowser(options: BrowserOptions = {}): BrowserSource | undefined {
  if (options.browser !== undefined) return { kind: "owned", browser: options.browser as Browser };
  const chromium = loadPlaywright();
  if (!chromium) return undefined;
  if (options.endpoint !== undefined) return { kind: "endpoint", endpoint: options.endpoint, chromium };
  const flags = options.launchArgs ?? [];
  const launch = { kind: "launch", chromium, flags } as const;
  if (options.executablePath !== undefined) {
    const path = options.executablePath;
    return { ...launch, name: path, executablePath: async () => path };
  }
  if (options.channel !== undefined) return { ...launch, name: options.channel, channel: options.channel };
  const installed = [pathOf(() => chromium.executablePath()), ...systemCandidates()].find(isExecutable);
  if (installed !== undefined) return { ...launch, name: installed, executablePath: async () => installed };
  const packaged = packagedBrowser();
  if (packaged === undefined) return undefined;
  return {
    ...launch,
    name: "@sparticuz/chromium",
    flags: [...softwareGraphicsFlags, ...flags],
    executablePath: () => unpack(packaged),
  };
}

/** The error for a caller who needs a browser, if there is none. */
export function noBrowser(): RequestError {
  return new RequestError(
    "UNSUPPORTED",
    "The request needs a browser, and none was found. It takes `npm install playwright @crawlee/browser-pool`, and one " +
      "of three: `npx playwright install chromium`; Chromium or Chrome from the system's packages (or " +
      "`browser.executablePath`); `npm install @sparticuz/chromium`",
  );
}

function loadPlaywright(): BrowserType | undefined {
  for (const name of ["playwright", "playwright-core"]) {
    try {
      return (ownRequire()(name) as { chromium: BrowserType }).chromium;
    } catch {
      // Not installed: the next one.
    }
  }
  return undefined;
}

/** Bundlers look for what is asked for by its name: where they see that its lack is caught, they let it be missing. */
function packagedBrowser(): string | undefined {
  try {
    return ownRequire().resolve("@sparticuz/chromium");
  } catch {
    return undefined;
  }
}

function pathOf(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function systemCandidates(): string[] {
  // The search path is not used, because it is part of the environment, which belongs to the host program.
  const named = process.platform === "win32" ? [] : systemNames;
  return [
    ...named.flatMap((name) => systemFolders.map((folder) => join(folder, name))),
    ...(systemPaths[process.platform] ?? []),
  ];
}

export function isExecutable(path: string | undefined): path is string {
  if (path === undefined) return false;
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The package unpacks itself into the system's folder for temporary files, once for all processes. */
async function unpack(packagePath: string): Promise<string> {
  const { default: packaged } = (await import(pathToFileURL(packagePath).href)) as {
    default: { executablePath(): Promise<string> };
  };
  const path = await packaged.executablePath();
  const owner = statSync(path).uid;
  // Anybody may write to that folder, and the file found there will be executed.
  if (process.getuid && owner !== process.getuid() && owner !== 0) {
    throw new RequestError("UNSUPPORTED", `${path} belongs to another user; it is not run`);
  }
  await settled(path);
  return path;
}

/** Another process may be in the middle of unpacking: the file is complete when it stops growing. */
async function settled(path: string): Promise<void> {
  if (!existsSync(path) || Date.now() - statSync(path).mtimeMs > 10_000) return;
  for (let size = -1; statSync(path).size !== size; ) {
    size = statSync(path).size;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
