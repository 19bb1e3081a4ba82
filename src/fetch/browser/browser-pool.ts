/** Crawlee's browser pool, behind this one file: it starts browsers, assigns pages to them, and replaces them. */
import { RequestError, ScrapeError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import { outside } from "../../shared/outside.ts";
import { loadQuietly } from "./load-quietly.ts";
import type { RunningBrowser } from "./running-browser.ts";

/** Room for one page in a browser. */
export interface Place {
  readonly running: RunningBrowser;
  /** How many places the browser has given so far, this one included. */
  readonly count: number;
  /** Gives the place back. */
  close(): Promise<void>;
}

interface BrowserPool {
  /** Resolves with a place in the running browser, or in a new one. Rejects as `open` does. */
  enter(): Promise<Place>;
  /** Whether the browser still gives places. */
  isOpen(running: RunningBrowser): boolean;
  /** Stops the browser from giving places; it is closed when its last place is given back. */
  retire(running: RunningBrowser): void;
  /** Closes all browsers, including those that are starting. */
  close(): Promise<void>;
}

interface BrowserPoolOptions {
  readonly open: () => Promise<RunningBrowser>;
  /** Called before a browser is closed, and when one has ended by itself. */
  readonly onEnd: (running: RunningBrowser) => Promise<void>;
  readonly placesPerBrowser: number;
  readonly logger: Logger;
}

/** A browser is retired after this time without a page, or up to twice as long. */
const idleBrowserSeconds = 20;

/** The parts of the package that are used. Its own types know only its own two plugins. */
interface Controller {
  readonly browser: RunningBrowser;
  activePages: number;
  readonly totalPages: number;
  close(): Promise<void>;
  once(event: "browserClosed", listener: () => void): void;
}
interface Pool {
  readonly activeBrowserControllers: ReadonlySet<Controller>;
  readonly retiredBrowserControllers: Set<Controller>;
  newPage(): Promise<Place>;
  retireBrowserController(controller: Controller): void;
  destroy(): Promise<void>;
  on(event: "browserLaunched" | "browserRetired", listener: (controller: Controller) => void): void;
}
interface Package {
  readonly BrowserPool: new (options: object) => Pool;
  readonly BrowserPlugin: new (library: object) => object;
  readonly BrowserController: new (plugin: object) => Controller;
}

export function createBrowserPool({ open, onEnd, placesPerBrowser, logger }: BrowserPoolOptions): BrowserPool {
  const { BrowserPool, BrowserPlugin, BrowserController } = loadPackage();
  const closing = new Set<Promise<void>>();
  let closed = false;

  class OurController extends BrowserController {
    /**
     * To the pool, a page is a place in which a tab is opened or reused. If it were the tab itself, the pool would open
     * only one at a time, and retire the browser whenever one cannot be opened as its request wants it.
     */
    async _newPage(): Promise<Place> {
      return {
        running: this.browser,
        count: this.totalPages,
        close: async () => {
          this.activePages -= 1;
          closeIfLeft(this);
        },
      };
    }
    async _close(): Promise<void> {
      await onEnd(this.browser);
      await this.browser.close();
    }
    async _kill(): Promise<void> {
      this.browser.kill();
    }
  }

  class OurPlugin extends BrowserPlugin {
    _createController(): Controller {
      return new OurController(this);
    }
    /** Otherwise the pool adds a user agent and flags of its own. */
    _isChromiumBasedBrowser(): boolean {
      return false;
    }
    async _launch(): Promise<RunningBrowser> {
      if (closed) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
      const running = await open();
      if (!running.browser.isConnected()) {
        await running.close();
        throw new ScrapeError("UNKNOWN_ERROR", "The browser ends as soon as it has started");
      }
      return running;
    }
  }

  const pool = new BrowserPool({
    browserPlugins: [new OurPlugin({})],
    // All pages share the newest browser; their number is limited elsewhere.
    maxOpenPagesPerBrowser: Number.POSITIVE_INFINITY,
    retireBrowserAfterPageCount: placesPerBrowser,
    retireInactiveBrowserAfterSecs: idleBrowserSeconds,
    // Not while a page is in progress, however long it takes.
    closeInactiveBrowserAfterSecs: Number.POSITIVE_INFINITY,
    // Made by stealth.ts, with the same packages.
    useFingerprints: false,
  });

  /**
   * Closes it now: the pool would do so after a second, with a timer that keeps the process alive, or every ten
   * seconds.
   */
  function closeIfLeft(controller: Controller): void {
    if (controller.activePages > 0 || !pool.retiredBrowserControllers.delete(controller)) return;
    const work = controller.close().finally(() => closing.delete(work));
    closing.add(work);
  }

  pool.on("browserRetired", (controller) => {
    logger.debug("A browser is retired", { pages: controller.totalPages });
    closeIfLeft(controller);
  });
  pool.on("browserLaunched", (controller) => {
    const { browser: running } = controller;
    const onLoss = () => {
      void onEnd(running);
      pool.retireBrowserController(controller);
    };
    running.browser.once("disconnected", onLoss);
    // A browser that is not ours continues to run.
    controller.once("browserClosed", () => running.browser.off("disconnected", onLoss));
  });

  function controllerOf(running: RunningBrowser): Controller | undefined {
    return [...pool.activeBrowserControllers].find(({ browser }) => browser === running);
  }

  const enter = () => outside(() => pool.newPage());
  return {
    enter,
    isOpen: (running) => controllerOf(running) !== undefined,
    retire(running) {
      const controller = controllerOf(running);
      if (controller) pool.retireBrowserController(controller);
    },
    async close() {
      closed = true;
      // The pool serves one request after the other, and when it is destroyed it forgets a browser that is starting.
      await enter().catch(() => {});
      await pool.destroy();
      await Promise.all(closing);
    },
  };
}

function loadPackage(): Package {
  try {
    return loadQuietly("@crawlee/browser-pool") as Package;
  } catch (cause) {
    throw new RequestError(
      "UNSUPPORTED",
      "A browser needs two packages: `npm install playwright @crawlee/browser-pool`",
      { cause },
    );
  }
}
