/** Command line of a browser that the engine starts: no way to the network but the proxy, and no chatter of its own. */

/** For every browser. */
export const launchFlags: readonly string[] = [
  // Nothing but the proxy is ever connected to, so no name needs to be resolved here.
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
  // One process a page: contexts are apart from each other in any case, and frames of one page hold no secrets.
  "--disable-site-isolation-trials",
  // No process kept warm for a page that may come: a tab uses its own again.
  "--renderer-process-limit=1",
  // Pages are put together by the processor, where there is hardly ever anything else; WebGL stays as it is.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  "--num-raster-threads=1",
  "--disable-blink-features=AutomationControlled",
  // The languages of pages for which none are asked; elsewhere workers know only the first.
  "--lang=en-US",
  "--accept-lang=en-US,en",
  // A page that names no encoding is read as UTF-8 where it is that, as over HTTP; as others where its bytes say so.
  // The rest is what Playwright sets, which the last of two equal flags would undo: a mouse that can hover.
  "--blink-settings=defaultTextEncodingName=UTF-8,primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--font-render-hinting=none",
  "--hide-scrollbars",
  "--mute-audio",
  "--disk-cache-size=33554432",
];

/** For builds without a graphics card's driver beside them: WebGL drawn by the processor. */
export const softwareGraphicsFlags: readonly string[] = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--in-process-gpu",
];
