/** Pictures for the demo site, drawn from their names: a hill, a dome and as many stars as the name suggests. */
export function picture(name: string): string {
  let seed = 7;
  for (const character of name) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  const next = (limit: number): number => {
    seed = (seed * 75 + 74) % 65_537;
    return seed % limit;
  };
  const stars = Array.from(
    { length: 40 },
    () => `<circle cx="${next(640)}" cy="${next(280)}" r="${1 + next(3) / 2}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 420"><rect width="640" height="420" fill="#14213d"/><g fill="#fff">${stars.join("")}</g><path d="M0 420 Q${200 + next(240)} 180 640 420" fill="#0b132b"/><path d="M290 300a30 30 0 0 1 60 0z" fill="#e5e5e5"/></svg>`;
}
