import type { ChildNode, Element, ParentNode, Text } from "domhandler";
import { isElement } from "../src/transform/html/walk.ts";

/**
 * What a tree says, without how it is written: a line for each block with its place, its kind and its words; each word
 * with its formats and link. Two trees with the same outline are the same document to a reader.
 */
export function outlineOf(root: ParentNode): string[] {
  const outline = new Outline();
  outline.blocks(root, "");
  outline.flush("");
  return outline.lines;
}

const blockNames = new Set("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table hr div body html section".split(" "));
const formats: Readonly<Record<string, string>> = {
  b: "strong",
  strong: "strong",
  i: "em",
  em: "em",
  del: "del",
  s: "del",
};

class Outline {
  readonly lines: string[] = [];
  #words = "";

  blocks(parent: ParentNode, path: string): void {
    let item = 0;
    for (const child of parent.children) {
      if (!isElement(child) || !blockNames.has(child.name)) {
        this.inline(child, new Set());
        continue;
      }
      this.flush(path);
      const { name } = child;
      if (name === "li") this.#nested(child, `${path}/${++item}`);
      else if (name === "ul") this.#nested(child, `${path}/ul`);
      else if (name === "ol") this.#nested(child, `${path}/ol${child.attribs["start"] ?? 1}`);
      else if (name === "blockquote") this.#nested(child, `${path}/quote`);
      else if (name === "pre")
        this.lines.push(
          `${path} pre ${JSON.stringify(
            rawText(child)
              .replace(/[ \t]+$/gm, "")
              .trimEnd(),
          )}`,
        );
      else if (name === "hr") this.lines.push(`${path} hr`);
      else if (name === "table") this.#table(child, path);
      else if (/^h\d$/.test(name)) {
        this.blocks(child, path);
        // A heading is bold anyway.
        this.#words = this.#words.replace(/(?<=[{,])strong,?|,strong(?=\})/g, "").replaceAll("{}", "");
        this.flush(path, name);
      } else {
        this.blocks(child, path);
        this.flush(path);
      }
    }
  }

  #nested(element: Element, path: string): void {
    this.blocks(element, path);
    this.flush(path);
  }

  #table(table: Element, path: string): void {
    const visit = (element: Element) => {
      for (const child of element.children) {
        if (!isElement(child)) continue;
        if (child.name === "th" || child.name === "td") {
          for (const part of child.children) this.inline(part, new Set());
          this.flush(`${path}/table`, child.name, true);
        } else visit(child);
        if (child.name === "tr") this.lines.push(`${path}/table row`);
      }
    };
    visit(table);
  }

  inline(node: ChildNode, active: ReadonlySet<string>): void {
    if (node.type === "text") {
      // Formats matter on words only: markdown puts spaces and punctuation outside where it must.
      const marks = [...active].sort().join(",");
      for (const character of (node as Text).data) {
        this.#words += marks !== "" && /[\p{L}\p{N}]/u.test(character) ? `${character}{${marks}}` : character;
      }
    } else if (isElement(node)) {
      const { name, attribs } = node;
      if (name === "br") this.#words += "⏎";
      else if (name === "img") this.#words += `![${attribs["alt"] ?? ""}|${attribs["src"]}]`;
      else if (name === "code") this.#code(rawText(node).replace(/\s+/g, " "), [...active].sort().join(","));
      else {
        const format = name === "a" ? `link:${attribs["href"]}` : formats[name];
        const inner = format === undefined ? active : new Set([...active, format]);
        for (const child of node.children) this.inline(child, inner);
      }
    }
  }

  #code(code: string, marks: string): void {
    const trimmed = code.trim();
    if (trimmed === "") this.#words += code;
    else this.#words += code.replace(trimmed, () => `code(${trimmed}){${marks}}`.replace("{}", ""));
  }

  flush(path: string, kind = "p", keepEmpty = false): void {
    const words = this.#words
      .replace(/\s+/g, " ")
      .replace(/ ?⏎ ?/g, "⏎")
      .replace(/^[ ⏎]+|[ ⏎]+$/g, "");
    this.#words = "";
    // Two breaks make a new paragraph.
    const paragraphs =
      kind === "p" ? words.split(/⏎{2,}/) : [words.replace(/⏎+/g, kind.startsWith("h") && kind !== "th" ? " " : "⏎")];
    for (const paragraph of paragraphs)
      if (paragraph !== "" || keepEmpty) this.lines.push(`${path} ${kind} ${paragraph}`);
  }
}

function rawText(element: Element): string {
  return element.children
    .map((child) => (isElement(child) ? rawText(child) : child.type === "text" ? (child as Text).data : ""))
    .join("");
}
