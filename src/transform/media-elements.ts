// Custom elements that stand for pictures, players and frames, as the elements that browsers know.

import type { Element } from "domhandler";

const standard: Readonly<Record<string, string>> = {
  "amp-img": "img",
  "amp-anim": "img",
  "amp-video": "video",
  "amp-audio": "audio",
  "amp-iframe": "iframe",
};

/** Players that scripts make of the number of a film. */
const players: readonly (readonly [name: RegExp, address: string])[] = [
  [/(?:^|-)youtube(?:-|$)/, "https://www.youtube.com/embed/"],
  [/(?:^|-)vimeo(?:-|$)/, "https://player.vimeo.com/video/"],
];
const filmNumbers = ["videoid", "video-id", "data-videoid"];

/** True for the name of a custom element that shows something without text. */
export function showsMedia(name: string): boolean {
  return Object.hasOwn(standard, name) || players.some(([player]) => player.test(name));
}

/** Makes of such an element, in place, the one that it stands for. */
export function standardizeMedia(element: Element): void {
  const { name, attribs } = element;
  if (!name.includes("-")) return;
  if (Object.hasOwn(standard, name)) {
    element.name = standard[name]!;
    // There it stands for readers without scripts, who see the picture now.
    if (element.name === "img") element.children = [];
    return;
  }
  const address = players.find(([player]) => player.test(name))?.[1];
  const film = filmNumbers.map((key) => attribs[key]?.trim()).find((value) => value);
  if (address === undefined || (film === undefined && attribs["src"] === undefined)) return;
  element.name = "iframe";
  if (film !== undefined) attribs["src"] = address + encodeURIComponent(film);
}
