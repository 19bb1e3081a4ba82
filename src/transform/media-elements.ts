// Replaces custom elements for pictures, players and frames by the standard elements.

import type { Element } from "domhandler";

const standard: Readonly<Record<string, string>> = {
  "amp-img": "img",
  "amp-anim": "img",
  "amp-video": "video",
  "amp-audio": "audio",
  "amp-iframe": "iframe",
};

/** Players that scripts create from the id of a video. */
const players: readonly (readonly [name: RegExp, address: string])[] = [
  [/(?:^|-)youtube(?:-|$)/, "https://www.youtube.com/embed/"],
  [/(?:^|-)vimeo(?:-|$)/, "https://player.vimeo.com/video/"],
];
const filmNumbers = ["videoid", "video-id", "data-videoid"];

/** True for the name of a custom element that shows something without text. */
export function showsMedia(name: string): boolean {
  return Object.hasOwn(standard, name) || players.some(([player]) => player.test(name));
}

/** Turns such an element, in place, into the standard element that it stands for. */
export function standardizeMedia(element: Element): void {
  const { name, attribs } = element;
  if (!name.includes("-")) return;
  if (Object.hasOwn(standard, name)) {
    element.name = standard[name]!;
    // Its content is for readers without scripts, who get the picture now.
    if (element.name === "img") element.children = [];
    return;
  }
  const address = players.find(([player]) => player.test(name))?.[1];
  const film = filmNumbers.map((key) => attribs[key]?.trim()).find((value) => value);
  if (address === undefined || (film === undefined && attribs["src"] === undefined)) return;
  element.name = "iframe";
  if (film !== undefined) attribs["src"] = address + encodeURIComponent(film);
}
