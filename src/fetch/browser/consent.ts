/**
 * Closes cookie pop-ups as a reader would who declines, with the rules of `@duckduckgo/autoconsent`, if it is
 * installed. Overlays that remain after that are removed.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Frame } from "playwright";
import { runApart } from "./isolated-world.ts";
import { hasConsentDialog, removeConsentOverlays } from "./overlay-scripts.ts";
import { ownRequire } from "./own-require.ts";
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
/**
 * Time for a dialog to be recognised, and time for it to be closed, which may involve two dialogs one after the other.
 */
const findMs = 1_000;
const closeMs = 5_000;
const pollMs = 150;
/** Dialogs are in the page itself or in a frame of their own. */
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
  /** Never rejects: a page with a pop-up is better than none. */
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
  const load = ownRequire();
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

/** Runs the package's script in the page's frames and answers its requests, until the dialog is gone. */
async function decline(pack: Package, tab: Tab, signal: AbortSignal): Promise<void> {
  const end = new AbortController();
  const state = { found: false };
  const until = AbortSignal.any([end.signal, signal]);
  const sessions = new Map<Frame, CDPSession>();

  /** Frames of other sites may be in processes of their own, each of which needs its own session. */
  async function listen(): Promise<void> {
    const { page } = tab;
    for (const frame of page.frames()) {
      if (sessions.size >= maxFrames || sessions.has(frame)) continue;
      const isMain = frame === page.mainFrame();
      const session = await page
        .context()
        .newCDPSession(isMain ? page : frame)
        .catch(() => undefined);
      if (!session) continue;
      sessions.set(frame, session);
      await speak(pack, session, isMain, (type) => {
        if (type === "popupFound") state.found = true;
        else end.abort();
      });
    }
  }

  try {
    const start = performance.now();
    for (let gone = 0; gone < 2 && !until.aborted; ) {
      await listen();
      await sleep(pollMs, undefined, { signal: until }).catch(() => {});
      if (performance.now() - start > (state.found ? closeMs : findMs)) break;
      // A dialog in a frame disappears with the frame, which then cannot report that it is done; another may take its
      // place.
      if (state.found) gone = (await runApart<boolean>(tab, hasConsentDialog)) ? 0 : gone + 1;
    }
  } finally {
    await Promise.all([...sessions.values()].map((session) => session.detach().catch(() => {})));
  }
}

/** Communicates with the package's script in the frames of one process, including later ones. */
async function speak(pack: Package, session: CDPSession, isMain: boolean, tell: (type: string) => void): Promise<void> {
  let mainContext: number | undefined;
  const answer = (contextId: number, message: object) =>
    void session
      .send("Runtime.evaluate", { expression: `autoconsentReceiveMessage(${JSON.stringify(message)})`, contextId })
      .catch(() => {});

  const react: Readonly<Record<string, (message: Message, contextId: number) => void>> = {
    init: ({ url = "" }, contextId) => {
      const compact = pack.rulesFor(url, contextId === mainContext);
      answer(contextId, { type: "initResp", config, rules: { autoconsent: [], compact } });
    },
    eval: ({ id, code = "false" }, contextId) =>
      void evaluate(session, contextId === mainContext ? code : "false").then((result) =>
        answer(contextId, { type: "evalResp", id, result }),
      ),
    popupFound: ({ type }) => tell(type),
    autoconsentDone: ({ type }) => tell(type),
    autoconsentError: ({ type }) => tell(type),
  };
  session.on("Runtime.bindingCalled", ({ name, payload, executionContextId }) => {
    if (name !== binding) return;
    const message = JSON.parse(payload) as Message;
    react[message.type]?.(message, executionContextId);
  });
  const source = `{ const send = ${binding}; ${binding} = async (message) => send(JSON.stringify(message)); }\n${pack.script}`;
  await session.send("Runtime.enable");
  await session.send("Page.enable");
  await session.send("Runtime.addBinding", { name: binding, executionContextName: worldName });
  await session.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName });
  const { frameTree } = await session.send("Page.getFrameTree");
  for (const [index, frameId] of framesOf(frameTree).slice(0, maxFrames).entries()) {
    const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName });
    if (isMain && index === 0) mainContext = executionContextId;
    await session.send("Runtime.evaluate", { expression: source, contextId: executionContextId });
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
