/**
 * Runs before a document's own scripts: what they log and throw goes nowhere. Nobody reads it, and the browser would send
 * all of it to this process, where Playwright keeps the last two hundred entries of each page, however long they are.
 * An error that was prevented its default is not told to anybody; the page's own listeners hear of it all the same.
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
