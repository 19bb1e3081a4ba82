/** How a tab presents itself to a page: device, system, languages and place, all consistent. */
import type { BrowserContextOptions, CDPSession } from "playwright";
import type { FetchRequest } from "../../ports/fetcher.ts";
import { countryOf } from "../../shared/countries.ts";

/** How a tab presents itself. */
interface Identity {
  readonly context: BrowserContextOptions;
  /** Languages in order of preference. */
  readonly languages: readonly string[];
  /** How a browser of this version (`153.0.8010.0`) describes itself here. */
  agent(version: string): Agent;
}

export interface Agent {
  readonly userAgent: string;
  /** `navigator.platform`. */
  readonly platform: string;
  readonly mobile: boolean;
  readonly languages: readonly string[];
  readonly hints: ReturnType<typeof hintsOf>;
  /** The user agent is the host's or the caller's choice: client hints must not contradict it. */
  readonly isChosen: boolean;
}

interface Device {
  /** The part of the user agent in parentheses. */
  readonly system: string;
  /** `navigator.platform`. */
  readonly platform: string;
  /** The same, for client hints. */
  readonly hints: { platform: string; platformVersion: string; architecture: string; model: string; bitness: string };
  readonly mobile: boolean;
  readonly screen: BrowserContextOptions;
}

const desktopScreen: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const bitness = "64";
/** The languages with which the browser is started. */
const defaultLanguages: readonly string[] = ["en-US", "en"];
/** Tags for private use, and tags of no language. A browser asks servers for them, but has no locale data for them. */
const namesNoLanguage = /^(?:x|und|root)(?:-|$)/i;

const desktops: Readonly<Partial<Record<NodeJS.Platform, Device>>> = {
  darwin: {
    system: "Macintosh; Intel Mac OS X 10_15_7",
    platform: "MacIntel",
    hints: { platform: "macOS", platformVersion: "15.0.0", architecture: "arm", model: "", bitness },
    mobile: false,
    screen: desktopScreen,
  },
  win32: {
    system: "Windows NT 10.0; Win64; x64",
    platform: "Win32",
    hints: { platform: "Windows", platformVersion: "15.0.0", architecture: "x86", model: "", bitness },
    mobile: false,
    screen: desktopScreen,
  },
};
const linux: Device = {
  system: "X11; Linux x86_64",
  platform: "Linux x86_64",
  hints: { platform: "Linux", platformVersion: "6.8.0", architecture: "x86", model: "", bitness },
  mobile: false,
  screen: desktopScreen,
};
const phone: Device = {
  system: "Linux; Android 10; K",
  platform: "Linux armv81",
  hints: { platform: "Android", platformVersion: "14.0.0", architecture: "", model: "Pixel 8", bitness: "" },
  mobile: true,
  screen: { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2.625, isMobile: true, hasTouch: true },
};

/** A desktop with the system that the browser really runs on, whose fonts and graphics it shows. */
const desktop: Device = desktops[process.platform] ?? linux;

/**
 * @param userAgent one that the host or the caller has chosen; client hints then say nothing that could contradict it
 */
export function identityOf(request: FetchRequest, userAgent: string | undefined): Identity {
  const device = request.mobile ? phone : desktop;
  const country = request.location && countryOf(request.location.country ?? "US");
  const named = request.location?.languages ?? [];
  // An empty list asks for no languages in particular; then those of the country are used.
  const asked = named.length > 0 ? named : country?.languages;
  const languages = asked?.map((tag) => tag.replaceAll("_", "-")) ?? defaultLanguages;
  const locale = languages.find((tag) => !namesNoLanguage.test(tag));
  const context: BrowserContextOptions = {
    ...device.screen,
    ...(asked && locale !== undefined ? { locale } : {}),
    ...(country
      ? {
          timezoneId: country.timeZone,
          geolocation: { latitude: country.latitude, longitude: country.longitude, accuracy: 1000 },
          permissions: ["geolocation"],
        }
      : {}),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  return {
    context,
    languages,
    agent(version) {
      return {
        userAgent: userAgent ?? userAgentOf(device, version),
        platform: device.platform,
        mobile: device.mobile,
        languages: this.languages,
        hints: hintsOf(device, version),
        isChosen: userAgent !== undefined,
      };
    },
  };
}

/** Sets on a page's session what cannot be set on its context. */
export async function dress(session: CDPSession, agent: Agent): Promise<void> {
  await session.send("Emulation.setUserAgentOverride", {
    userAgent: agent.userAgent,
    acceptLanguage: agent.languages.join(","),
    ...(agent.isChosen ? {} : { platform: agent.platform, userAgentMetadata: agent.hints }),
  });
}

function userAgentOf({ system, mobile }: Device, version: string): string {
  const major = version.split(".", 1)[0] ?? "";
  const suffix = mobile ? " Mobile" : "";
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${suffix} Safari/537.36`;
}

/** Client hints that agree with the user agent. */
function hintsOf({ hints, mobile }: Pick<Device, "hints" | "mobile">, version: string) {
  const major = version.split(".", 1)[0] ?? "";
  const brands = (of: string, other: string) => [
    { brand: "Chromium", version: of },
    { brand: "Google Chrome", version: of },
    { brand: "Not.A/Brand", version: other },
  ];
  return {
    ...hints,
    mobile,
    wow64: false,
    brands: brands(major, "24"),
    fullVersion: version,
    fullVersionList: brands(version, "24.0.0.0"),
  };
}
