/**
 * Runs before a document's own scripts. Gives null for pop-ups that no click asked for, as browsers do: they are closed
 * in any case, and opening a hundred of them, with all that goes with a page, takes half a minute.
 */
export const noUnaskedPopUps = `(() => {
  const { userActivation } = navigator, { apply } = Reflect;
  const isNew = (name) => name === undefined || name === "" || name === "_blank";
  const handler = { apply: (open, self, args) => isNew(args[1]) && userActivation?.isActive === false ? null : apply(open, self, args) };
  window.open = new Proxy(window.open, handler);
})()`;
