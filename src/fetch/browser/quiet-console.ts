/**
 * Runs before a document's own scripts, and discards what they log and throw. Nobody reads it, and the browser would
 * send all of it to this process, where Playwright keeps the last two hundred entries of each page, however long they
 * are. Errors whose default action is prevented are not reported; the page's own listeners still get them.
 */
export const quietConsole = `(() => {
  const handler = { apply() {} };
  for (const name of Object.keys(console)) {
    const { value } = Object.getOwnPropertyDescriptor(console, name);
    if (typeof value === "function" && name !== "context" && name !== "createTask") console[name] = new Proxy(value, handler);
  }
  const { preventDefault } = Event.prototype, { call } = Function.prototype;
  const prevent = call.bind(preventDefault);
  for (const type of ["error", "unhandledrejection"]) addEventListener(type, (event) => prevent(event));
})()`;
