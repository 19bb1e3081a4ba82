// Class names, by which pages and their style sheets tell what an element is.

/** A pattern that finds one of the names, separated by `|`, in the value of a `class` attribute. */
export const classNamed = (names: string, flags = ""): RegExp => new RegExp(`(?:^|\\s)(?:${names})(?:\\s|$)`, flags);
