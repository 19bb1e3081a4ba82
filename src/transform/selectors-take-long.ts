/** Selectors take longer on this page than the event loop should be held. The page is as it was. */
export class SelectorsTakeLong extends Error {}
