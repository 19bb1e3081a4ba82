/** Says so where the content of a file is not on its pages, which then hold only a notice for other programs. */

/** What pdf.js says of a file, by its own names. */
type Information = Readonly<Record<string, unknown>>;

const kinds: readonly (readonly [isKind: (information: Information) => boolean, warning: string])[] = [
  [
    // Such a form without fields of the usual kind is laid out by the program that shows it.
    ({ IsXFAPresent, IsAcroFormPresent }) => IsXFAPresent === true && IsAcroFormPresent !== true,
    "The PDF is a form in XFA, which is not read; its pages may hold only a notice.",
  ],
  [
    ({ IsCollectionPresent }) => IsCollectionPresent === true,
    "The PDF is a portfolio; only its cover was read, and none of the files attached to it.",
  ],
];

export function elsewhereWarnings(information: Information): string[] {
  return kinds.filter(([isKind]) => isKind(information)).map(([, warning]) => warning);
}
