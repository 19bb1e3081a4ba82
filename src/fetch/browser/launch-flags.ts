/**
 * Command line of a browser that the engine starts: no way to the network except the proxy, and no traffic of its own.
 */

/** For every browser. */
export const launchFlags: readonly string[] = [
  // The browser connects only to the proxy, so it need not resolve any names.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--dns-prefetch-disable",
  // WebRTC and QUIC use UDP, which no proxy sees.
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  // Reports and pings that outlive their page.
  "--no-pings",
  "--disable-domain-reliability",
  "--no-default-browser-check",
  // One process per page: contexts are isolated from each other anyway, and the frames of one page have no secrets from
  // each other.
  "--disable-site-isolation-trials",
  // No spare process for a page to come: a tab reuses its own.
  "--renderer-process-limit=1",
  // Pages are composited by the processor, since there is hardly ever a graphics card; WebGL is not affected.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  "--num-raster-threads=1",
  "--disable-blink-features=AutomationControlled",
  // The languages of pages whose requests name none; otherwise workers would know only the first.
  "--lang=en-US",
  "--accept-lang=en-US,en",
  // A page that names no encoding is read as UTF-8 if its bytes are that, as over HTTP, and otherwise as the bytes
  // suggest. The other settings are Playwright's, for a mouse that can hover: of two equal flags only the last one
  // counts, so they are repeated here.
  "--blink-settings=defaultTextEncodingName=UTF-8,primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--font-render-hinting=none",
  "--hide-scrollbars",
  "--mute-audio",
  "--disk-cache-size=33554432",
];

/**
 * For every proxy: addresses on loopback go through it too. Playwright would add this by itself, unless a variable in the
 * environment of the host tells it not to.
 */
export const throughLoopback = "<-loopback>";

/** For builds that come without a driver for graphics cards: WebGL is drawn by the processor. */
export const softwareGraphicsFlags: readonly string[] = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--in-process-gpu",
];
