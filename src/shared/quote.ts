/** A caller's text in the form for messages: quoted, on one line, short. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
