/**
 * A likeness of a common desktop or phone for the stealth tier: what scripts can find out about screen, graphics,
 * codecs and the like agrees with the user agent, which is the browser's own. Uses `fingerprint-generator` and
 * `fingerprint-injector`.
 */
import type { BrowserContextOptions } from "playwright";
import { RequestError } from "../../errors.ts";
import type { Agent } from "./identity.ts";
import { ownRequire } from "./own-require.ts";
import { fillGaps } from "./stealth-script.ts";

interface Likeness {
  readonly context: BrowserContextOptions;
  /** Runs in every document before its own scripts. */
  readonly script: string;
}

/** The parts of the packages that are used. */
interface Fingerprint {
  readonly screen: Record<string, number | boolean>;
  readonly navigator: Record<string, unknown>;
  readonly videoCard: { vendor: string; renderer: string } | null;
}
interface Packages {
  readonly generator: { getFingerprint(options: object): { fingerprint: Fingerprint; headers: object } };
  readonly injector: { getInjectableScript(fingerprint: { fingerprint: Fingerprint; headers: object }): string };
}

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "macos", win32: "windows" };
/** Height of a browser's own bars. */
const barsHeight = 121;
/** The most common desktop screen; replaces the screens of phones and small windows among the generated ones. */
const commonScreen = { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040 };

export interface Stealth {
  likeness(agent: Agent): Likeness;
}

export function createStealth(): Stealth {
  let packages: Packages | undefined;
  return {
    likeness(agent) {
      packages ??= loadPackages();
      const { generator, injector } = packages;
      const made = likely(() =>
        generator.getFingerprint({
          browsers: [{ name: "chrome", minVersion: 120 }],
          devices: [agent.mobile ? "mobile" : "desktop"],
          operatingSystems: [agent.mobile ? "android" : (systems[process.platform] ?? "linux")],
          locales: [...agent.languages],
        }),
      );
      const generated = agent.mobile ? made.fingerprint : onDesktop(made.fingerprint);
      const viewport = agent.mobile ? undefined : viewportOf(generated);
      const fingerprint = agreeing(generated, agent, viewport);
      const screen = { width: Number(fingerprint.screen["width"]), height: Number(fingerprint.screen["height"]) };
      return {
        context: viewport ? { viewport, screen } : {},
        script: `${fillGaps}\n${injector.getInjectableScript({ ...made, fingerprint })}`,
      };
    },
  };
}

/** Some of the generated fingerprints, three in a hundred, are those of servers, which draw without a graphics card. */
function likely<Made extends { readonly fingerprint: Fingerprint }>(generate: () => Made): Made {
  let made = generate();
  for (let left = 20; left > 0 && isServer(made.fingerprint); left--) made = generate();
  return made;
}

function isServer({ videoCard }: Fingerprint): boolean {
  return videoCard === null || /swiftshader|llvmpipe|software|basic render|mesa offscreen/i.test(videoCard.renderer);
}

/** Ensures a screen that is large enough for a desktop window. */
function onDesktop(fingerprint: Fingerprint): Fingerprint {
  const { screen } = fingerprint;
  const fits = Number(screen["availWidth"]) >= 1280 && Number(screen["availHeight"]) >= 660;
  return fits ? fingerprint : { ...fingerprint, screen: { ...screen, ...commonScreen } };
}

/** A window that fills its screen, up to a certain size. */
function viewportOf({ screen }: Fingerprint): { width: number; height: number } {
  return {
    width: Math.min(Number(screen["availWidth"]), 2560),
    height: Math.min(Number(screen["availHeight"]) - barsHeight, 1440),
  };
}

/** Adjusts the fingerprint to the browser's real version, the requested languages, and a possible window. */
function agreeing(
  { screen, navigator, ...rest }: Fingerprint,
  agent: Agent,
  viewport: { width: number; height: number } | undefined,
): Fingerprint {
  const { hints } = agent;
  const inner = viewport ?? { width: 412, height: 915 };
  return {
    ...rest,
    screen: {
      ...screen,
      ...(viewport ? {} : { width: 412, height: 915, availWidth: 412, availHeight: 915, devicePixelRatio: 2.625 }),
      innerWidth: inner.width,
      innerHeight: inner.height,
      outerWidth: inner.width,
      outerHeight: inner.height + (viewport ? barsHeight : 0),
      clientWidth: inner.width,
      clientHeight: inner.height,
      ...(viewport ? { devicePixelRatio: 1 } : {}),
    },
    navigator: {
      ...navigator,
      userAgent: agent.userAgent,
      appVersion: agent.userAgent.replace(/^Mozilla\//, ""),
      platform: agent.platform,
      language: agent.languages[0],
      languages: [...agent.languages],
      userAgentData: {
        brands: hints.brands,
        mobile: hints.mobile,
        platform: hints.platform,
        architecture: hints.architecture,
        bitness: hints.bitness,
        model: hints.model,
        platformVersion: hints.platformVersion,
        uaFullVersion: hints.fullVersion,
        fullVersionList: hints.fullVersionList,
      },
    },
  };
}

function loadPackages(): Packages {
  const load = ownRequire();
  try {
    const { FingerprintGenerator } = load("fingerprint-generator") as {
      FingerprintGenerator: new () => Packages["generator"];
    };
    const { FingerprintInjector } = load("fingerprint-injector") as {
      FingerprintInjector: new () => Packages["injector"];
    };
    return { generator: new FingerprintGenerator(), injector: new FingerprintInjector() };
  } catch (cause) {
    throw new RequestError(
      "UNSUPPORTED",
      "A stealth browser needs two packages: `npm install fingerprint-generator fingerprint-injector`",
      { cause },
    );
  }
}
