/**
 * Runs before a document's own scripts: what they log goes nowhere. Nobody reads it, and the browser would send all of it
 * to this process, where Playwright keeps the last two hundred entries of each page, however long they are.
 */
export const quietConsole = `(() => {
  const handler = { apply() {} };
  for (const name of Object.keys(console)) {
    const { value } = Object.getOwnPropertyDescriptor(console, name);
    if (typeof value === "function" && name !== "context" && name !== "createTask") console[name] = new Proxy(value, handler);
  }
})()`;
