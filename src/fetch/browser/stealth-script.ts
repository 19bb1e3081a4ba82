/**
 * Adds what a desktop Chrome has and a headless build lacks: `window.chrome`, the PDF viewer's plugins, and an
 * undecided permission for notifications. Runs before a document's own scripts; does nothing if all of it is present.
 */
export const fillGaps = `(() => {
  const native = (name, run) => Object.defineProperty(run.bind(null), "name", { value: name, configurable: true });
  const getter = (of, name, value) => {
    const get = native("get " + name, () => value);
    Object.defineProperty(of, name, { get, set: undefined, enumerable: true, configurable: true });
  };
  if (!("chrome" in window)) {
    const begun = Date.now() / 1000;
    const app = { isInstalled: false, getDetails: native("getDetails", () => null), getIsInstalled: native("getIsInstalled", () => false),
      runningState: native("runningState", () => "cannot_run"),
      InstallState: { DISABLED: "disabled", INSTALLED: "installed", NOT_INSTALLED: "not_installed" },
      RunningState: { CANNOT_RUN: "cannot_run", READY_TO_RUN: "ready_to_run", RUNNING: "running" } };
    const csi = native("csi", () => ({ onloadT: Date.now(), pageT: performance.now(), startE: Math.round(begun * 1000), tran: 15 }));
    const loadTimes = native("loadTimes", () => ({ requestTime: begun, startLoadTime: begun, commitLoadTime: begun + 0.1,
      finishDocumentLoadTime: 0, finishLoadTime: 0, firstPaintTime: 0, firstPaintAfterLoadTime: 0, navigationType: "Other",
      wasFetchedViaSpdy: true, wasNpnNegotiated: true, npnNegotiatedProtocol: "h2", wasAlternateProtocolAvailable: false, connectionInfo: "h2" }));
    Object.defineProperty(window, "chrome", { value: { loadTimes, csi, app }, writable: true, enumerable: true, configurable: false });
  }
  if (navigator.plugins.length === 0 && navigator.maxTouchPoints === 0) {
    const types = ["application/pdf", "text/pdf"].map((type) => Object.create(MimeType.prototype, {
      type: { value: type }, suffixes: { value: "pdf" }, description: { value: "Portable Document Format" } }));
    const names = ["PDF Viewer", "Chrome PDF Viewer", "Chromium PDF Viewer", "Microsoft Edge PDF Viewer", "WebKit built-in PDF"];
    const list = (prototype, items, key) => {
      const entries = {};
      items.forEach((item, index) => {
        entries[index] = { value: item, enumerable: true, configurable: true };
        entries[item[key]] = { value: item, enumerable: false, configurable: true };
      });
      return Object.create(prototype, { ...entries, length: { value: items.length },
        item: { value: native("item", (index) => items[index] ?? null) },
        namedItem: { value: native("namedItem", (name) => items.find((item) => item[key] === name) ?? null) },
        [Symbol.iterator]: { value: native("values", () => items[Symbol.iterator]()) } });
    };
    const plugins = names.map((name) => Object.create(Plugin.prototype, { name: { value: name }, length: { value: types.length },
      filename: { value: "internal-pdf-viewer" }, description: { value: "Portable Document Format" },
      0: { value: types[0], enumerable: true }, 1: { value: types[1], enumerable: true } }));
    for (const type of types) Object.defineProperty(type, "enabledPlugin", { value: plugins[0] });
    getter(Navigator.prototype, "plugins", list(PluginArray.prototype, plugins, "name"));
    getter(Navigator.prototype, "mimeTypes", list(MimeTypeArray.prototype, types, "type"));
    getter(Navigator.prototype, "pdfViewerEnabled", true);
  }
  if ("Notification" in window && Notification.permission === "denied") getter(Notification, "permission", "default");
})();`;
