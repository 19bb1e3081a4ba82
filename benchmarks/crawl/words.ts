/** Generates meaningless sentences in the shape of prose. */
import type { Random } from "./random.ts";

const words = (
  "time water light stone river valley morning engine letter window paper garden harbour answer question market summer " +
  "winter number measure method result reason story history village market bridge machine signal pattern surface colour " +
  "open closed early late small large quiet bright narrow common distant careful simple steady useful gentle local recent " +
  "find leave carry follow begin notice remember change improve build repair measure compare describe explain return " +
  "slowly often seldom already together nearly always perhaps however therefore instead later again there where when " +
  "and but while because although under over through between before after without within against along across towards " +
  "the a this that every another each some many few its their our of in to for with from by on at as is was were has had"
).split(" ");

export function sentence(random: Random, link: (text: string) => string): string {
  const length = random.between(9, 24);
  const parts: string[] = [];
  for (let index = 0; index < length; index++) {
    const word = random.pick(words);
    const chance = random.below(100);
    if (chance < 2) parts.push(link(`${word} ${random.pick(words)}`));
    else if (chance < 4) parts.push(`<em>${word}</em>`);
    else if (chance < 5) parts.push(`<strong>${word}</strong>`);
    else parts.push(chance < 12 ? `${word},` : word);
  }
  const text = parts.join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function phrase(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(words)).join(" ");
}
