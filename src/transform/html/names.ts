// Finds the names of elements and attributes in a page without creating a string for each.
//
// A name that is cut out of a page is a new string each time. One from this table is the same string everywhere, which
// maps and objects look up several times faster.

const commonNames =
  "a abbr address area article aside audio b base bdi blockquote body br button canvas caption center cite code col " +
  "colgroup dd del details dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 " +
  "head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta nav " +
  "noscript object ol optgroup option output p path param picture pre progress q rect s samp script search section " +
  "select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead " +
  "time title tr track tt u ul use var video wbr g circle line polygon defs symbol " +
  "align alt aria-controls aria-current aria-describedby aria-expanded aria-haspopup aria-hidden aria-label " +
  "aria-labelledby async autocomplete border charset class clip-rule color colspan content crossorigin d data-id " +
  "data-src data-srcset data-target data-testid data-toggle data-url datetime decoding defer dir disabled fill " +
  "fill-rule focusable for height hidden href hreflang http-equiv id integrity itemid itemprop itemscope itemtype " +
  "lang loading maxlength media method name onclick placeholder points property rel role rowspan sizes src srcset " +
  "stroke stroke-linecap stroke-linejoin stroke-width tabindex target transform type valign value viewbox width " +
  "xmlns x y";

/** Many more places than names, so that there are few collisions. */
const places = 2048;
const table: (string | undefined)[] = Array.from({ length: places }, () => undefined);

for (const name of commonNames.split(" ")) {
  let place = firstPlace(name, 0, name.length);
  while (table[place] !== undefined) place = (place + 1) & (places - 1);
  table[place] = name;
}

/** Three characters and the length distinguish these names well enough. */
function firstPlace(html: string, start: number, end: number): number {
  const length = end - start;
  const mixed =
    (html.charCodeAt(start) * 7) ^
    (html.charCodeAt(start + (length >> 1)) * 419) ^
    (html.charCodeAt(end - 1) * 1787) ^
    (length * 97);
  return (mixed ^ (mixed >> 7)) & (places - 1);
}

/** The name between `start` and `end`, in lower case. */
export function nameAt(html: string, start: number, end: number): string {
  for (let place = firstPlace(html, start, end); ; place = (place + 1) & (places - 1)) {
    const name = table[place];
    if (name === undefined) return html.slice(start, end).toLowerCase();
    if (name.length === end - start && stands(name, html, start)) return name;
  }
}

function stands(name: string, html: string, start: number): boolean {
  for (let index = 0; index < name.length; index++) {
    if (name.charCodeAt(index) !== html.charCodeAt(start + index)) return false;
  }
  return true;
}
