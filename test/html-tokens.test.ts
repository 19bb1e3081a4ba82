/** Tags, texts and comments of a page, beside those of a tokenizer that passes the tests of the HTML standard. */
import fc from "fast-check";
import { type Token, Tokenizer, TokenizerMode } from "parse5";
import { expect, it } from "vitest";
import { finish } from "../src/shared/turn.ts";
import { readTags } from "../src/transform/html/tokens.ts";

/** One thing on the page, in a form that can be compared. */
type Thing = readonly [kind: string, name: string, attributes?: Readonly<Record<string, string>>, closed?: boolean];

/** Texts that touch are one text: where they are cut says nothing. */
function addText(things: Thing[], text: string): void {
  const last = things.at(-1);
  if (last?.[0] === "text") things[things.length - 1] = ["text", last[1] + text];
  else if (text !== "") things.push(["text", text]);
}

/** Of a comment that the end of the page cuts off, the standard leaves out the last dashes. */
const comment = (data: string): Thing => ["comment", data.replace(/[-!]+$/, "")];

function read(pieces: Iterable<string>, cdata: boolean): Thing[] {
  const things: Thing[] = [];
  const steps = readTags(pieces, {
    startTag: (name, attributes, selfClosing) => things.push(["start", name, { ...attributes }, selfClosing]),
    endTag: (name) => things.push(["end", name]),
    text: (data) => addText(things, data),
    comment: (data) => things.push(comment(data)),
    doctype: () => things.push(["doctype", ""]),
    knowsCdata: () => cdata,
  });
  finish(steps);
  return things;
}

function* cut(html: string, lengths: Iterator<number>): Generator<string> {
  for (let at = 0, end = 0; at < html.length; at = end) {
    end = at + (lengths.next().value as number);
    yield html.slice(at, end);
  }
}

const modes: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

function readByStandard(html: string, cdata: boolean): Thing[] {
  const things: Thing[] = [];
  const text = ({ chars }: Token.CharacterToken): void => addText(things, chars);
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs, selfClosing }) {
        const attributes = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
        things.push(["start", tagName, attributes, selfClosing]);
        // An empty element of XML holds nothing; HTML does not know it.
        const mode = modes[tagName];
        if (mode !== undefined && !selfClosing) tokenizer.state = mode;
      },
      onEndTag: ({ tagName }) => things.push(["end", tagName]),
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: text,
      onComment: ({ data }) => things.push(comment(data)),
      onDoctype: () => things.push(["doctype", ""]),
      onEof: () => {},
    },
  );
  tokenizer.inForeignNode = cdata;
  tokenizer.write(html, true);
  return things;
}

const pieces = (
  "< > / ! - -- = \" ' ? & ; # x B div P a1 <p> </p> <br/> <a\thref <b =c> <q\ta=1\ta=2\tb=3> <q\tb=1\tc=2\td\te\tf\tg\th\ti\tj\tj\tb> x=1 x='&lt' y=\"a&b=c\" constructor image " +
  "<script> </script> <!--<script </script\n <style> </style > <title> </title> </TITLE/ <textarea></textarea> <xmp> " +
  "</xmp> <!-- --> --!> <!--> <!---> <!- <!doctype <!DOCTYPE\thtml> <![CDATA[ ]]> ]] <?xml ?> </> </1> &amp; &amp &notit; " +
  "&#x41; &#65 &copy é 中 😀"
).split(" ");

it.each([false, true])("reads any page as the standard says, with CDATA: %s", (cdata) => {
  const page = fc
    .array(fc.constantFrom(...pieces, " ", "\n", "word"), { maxLength: 24 })
    .map((parts) => parts.join(""));
  // The page comes in pieces, whose ends may be anywhere.
  const lengths = fc.infiniteStream(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(page, lengths, (html, stream) => {
      const expected = readByStandard(html, cdata);
      expect(read([html], cdata)).toEqual(expected);
      expect(read(cut(html, stream), cdata)).toEqual(expected);
    }),
    { numRuns: 5000, seed: 20261120 },
  );
});

it("reads a script that hides its end, wherever the page is cut", () => {
  const html = `<script>${"x".repeat(40)}<!--<script>a</script>${"y".repeat(40)}--></script><p>`;
  const expected = readByStandard(html, false);
  for (let at = 1; at < html.length; at++) expect(read([html.slice(0, at), html.slice(at)], false)).toEqual(expected);
});

it("reads what comes with the end of a long comment in short steps", () => {
  const tags = 50_000;
  const html = `<!--${"x".repeat(400_000)}-->${"<b>x</b>".repeat(tags)}`;
  let read = 0;
  let longest = 0;
  const ignore = (): void => {};
  const handler = { startTag: () => read++, endTag: ignore, text: ignore, comment: ignore, doctype: ignore };
  const steps = readTags(
    cut(
      html,
      (function* () {
        for (;;) yield 16_384;
      })(),
    ),
    { ...handler, knowsCdata: () => false },
  );
  for (let before = 0, done = false; !done; before = read) {
    done = steps.next().done === true;
    longest = Math.max(longest, read - before);
  }
  expect(read).toBe(tags);
  expect(longest).toBeLessThan(10_000);
});

it("reads a page with a script that writes scripts", () => {
  const html = "<script><!--\nwrite('<script>a</script>')\n//--></script><p>b";
  expect(read([html], false)).toEqual([
    ["start", "script", {}, false],
    ["text", "<!--\nwrite('<script>a</script>')\n//-->"],
    ["end", "script"],
    ["start", "p", {}, false],
    ["text", "b"],
  ]);
});
