/** Options that callers may know from the service and that are refused here, with the reason for the error message. */
export const refusedOptions: ReadonlyMap<string, string> = new Map([
  ["agent", "there is no browsing agent; use actions"],
  ["fastMode", "pages are always tried over plain HTTP first"],
  ["parsers", "an option of v2; use parsePDF"],
  ["sitemap", "an option of v2; use ignoreSitemap"],
  ["maxUrls", "use limit"],
  ["urlTrace", "use showSources"],
]);
