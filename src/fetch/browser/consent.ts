/**
 * Closes cookie pop-ups the way a reader would who declines: with the rules of `@duckduckgo/autoconsent`, if it is
 * installed. What stays on top of the page after that is removed.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright";
import { runApart } from "./isolated-world.ts";
import { hasConsentDialog, removeConsentOverlays } from "./overlay-scripts.ts";
import type { Tab } from "./tabs.ts";

/** The parts of the package that are used. */
interface Package {
  readonly script: string;
  rulesFor(url: string, mainFrame: boolean): unknown;
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly code?: string;
  readonly url?: string;
}

const worldName = "crawlcore-consent";
const binding = "autoconsentSendMessage";
/** For a dialog to be recognised, and for it to be closed. */
const findMs = 1_000;
const closeMs = 3_000;
/** Dialogs stand in the page or in a frame of their own. */
const maxFrames = 5;

const config = {
  enabled: true,
  autoAction: "optOut",
  disabledCmps: [],
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  detectRetries: 8,
  isMainWorld: false,
  prehideTimeout: 2000,
  enableHeuristicDetection: true,
  heuristicMode: "tier2",
  heuristicPopupSearchTimeout: 100,
  enablePopupMutationObserver: false,
  visualTest: false,
  performanceLoggingEnabled: false,
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
};

export interface Consent {
  /** Never rejects: a page with its pop-up is better than none. */
  dismiss(tab: Tab, signal: AbortSignal): Promise<void>;
}

export function createConsent(): Consent {
  let loaded: Package | undefined | null = null;
  return {
    async dismiss(tab, signal) {
      try {
        if (!(await runApart<boolean>(tab, hasConsentDialog))) return;
        if (loaded === null) loaded = loadPackage();
        if (loaded) await decline(loaded, tab, signal);
        await runApart(tab, removeConsentOverlays);
      } catch {
        signal.throwIfAborted();
      }
    },
  };
}

function loadPackage(): Package | undefined {
  const load = createRequire(import.meta.url);
  try {
    const entry = load.resolve("@duckduckgo/autoconsent");
    const { filterCompactRules } = load(entry) as {
      filterCompactRules(rules: unknown, options: { url: string; mainFrame: boolean }): unknown;
    };
    const rules: unknown = load("@duckduckgo/autoconsent/rules/compact-rules.json");
    return {
      script: readFileSync(join(dirname(entry), "autoconsent.playwright.js"), "utf8"),
      rulesFor: (url, mainFrame) => filterCompactRules(rules, { url, mainFrame }),
    };
  } catch {
    return undefined;
  }
}

/** Runs the package's script in the page's frames, and answers what it asks. */
async function decline(pack: Package, tab: Tab, signal: AbortSignal): Promise<void> {
  const session = await tab.page.context().newCDPSession(tab.page);
  const end = new AbortController();
  let found = false;
  const mainContexts = new Map<number, boolean>();
  const answer = (contextId: number, message: object) =>
    void session
      .send("Runtime.evaluate", { expression: `autoconsentReceiveMessage(${JSON.stringify(message)})`, contextId })
      .catch(() => {});

  const react: Readonly<Record<string, (message: Message, contextId: number) => void>> = {
    init: ({ url = "" }, contextId) => {
      const compact = pack.rulesFor(url, mainContexts.get(contextId) === true);
      answer(contextId, { type: "initResp", config, rules: { autoconsent: [], compact } });
    },
    eval: ({ id, code = "false" }, contextId) =>
      void evaluate(session, mainContexts.get(contextId) === true ? code : "false").then((result) =>
        answer(contextId, { type: "evalResp", id, result }),
      ),
    popupFound: () => {
      found = true;
    },
    autoconsentDone: () => end.abort(),
    autoconsentError: () => end.abort(),
  };

  try {
    session.on("Runtime.bindingCalled", ({ name, payload, executionContextId }) => {
      if (name !== binding) return;
      const message = JSON.parse(payload) as Message;
      react[message.type]?.(message, executionContextId);
    });
    await session.send("Runtime.enable");
    await session.send("Runtime.addBinding", { name: binding, executionContextName: worldName });
    const { frameTree } = await session.send("Page.getFrameTree");
    for (const [index, frameId] of framesOf(frameTree).slice(0, maxFrames).entries()) {
      const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName });
      mainContexts.set(executionContextId, index === 0);
      await session.send("Runtime.evaluate", {
        expression: `{ const send = ${binding}; ${binding} = async (message) => send(JSON.stringify(message)); }\n${pack.script}`,
        contextId: executionContextId,
      });
    }
    const until = AbortSignal.any([end.signal, signal]);
    await sleep(findMs, undefined, { signal: until }).catch(() => {});
    if (found) await sleep(closeMs - findMs, undefined, { signal: until }).catch(() => {});
  } finally {
    await session.detach().catch(() => {});
  }
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: FrameTree[];
}

function framesOf({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.map((child) => child.frame.id)];
}

async function evaluate(session: CDPSession, expression: string): Promise<unknown> {
  try {
    const { result } = await session.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
      timeout: 1000,
    });
    return result.value ?? false;
  } catch {
    return false;
  }
}
