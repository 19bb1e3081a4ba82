// Converts MathML to TeX, for formulas without TeX of their own.

import type { Element, Text } from "domhandler";
import { isElement, textContent } from "../html/walk.ts";

/** Signs and their commands; others stay as they are, since present TeX engines can read them. */
const commands: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho " +
    "σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega ϵ epsilon ϕ phi Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi " +
    "Σ Sigma Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∫ int ∬ iint ∮ oint ∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div " +
    "⋅ cdot · cdot ∘ circ ∗ ast ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni " +
    "⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∖ setminus ∀ forall ∃ exists ¬ neg ∧ land ∨ lor " +
    "→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow " +
    "… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ | ⊕ oplus ⊗ otimes ⊥ perp " +
    "∥ parallel ∠ angle ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph ′ prime † dagger ★ star ⊤ top √ surd"
  )
    .split(" ")
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, `\\${words[index + 1]}`]);
      return pairs;
    }, []),
);

const functions: ReadonlySet<string> = new Set(
  "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker deg gcd arg".split(
    " ",
  ),
);

/** Signs above or below a letter, in MathML or as commands. */
const accents: ReadonlyMap<string, string> = new Map([
  ["^", "hat"],
  ["ˆ", "hat"],
  ["~", "tilde"],
  ["˜", "tilde"],
  ["¯", "bar"],
  ["‾", "overline"],
  ["→", "vec"],
  ["\\rightarrow", "vec"],
  ["˙", "dot"],
  ["⋅", "dot"],
  ["\\cdot", "dot"],
  ["¨", "ddot"],
  ["_", "underline"],
  ["⏞", "overbrace"],
  ["⏟", "underbrace"],
]);

/** The TeX of a `math` element or a part of one. */
export function texOfMathMl(element: Element): string {
  return row(element).replace(/ {2,}/g, " ").trim();
}

function row(element: Element): string {
  let tex = "";
  let last = "";
  for (const child of element.children) {
    const next = child.type === "text" ? (child as Text).data.trim() : isElement(child) ? part(child) : "";
    if (next === "") continue;
    // A command and a letter after it need a space between them.
    if (/\\[A-Za-z]+$/.test(last) && /^[A-Za-z]/.test(next)) tex += " ";
    tex += next;
    last = next.slice(-40);
  }
  return tex;
}

type Writer = (parts: readonly string[], element: Element) => string;

/** Elements with a fixed number of parts. */
const schemes: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  [
    "mfrac",
    ([top, bottom], { attribs }) =>
      /^0(?:px|pt|em)?$/.test(attribs["linethickness"] ?? "")
        ? `\\binom${braced(top)}${braced(bottom)}`
        : `\\frac${braced(top)}${braced(bottom)}`,
  ],
  ["mroot", ([base, index]) => `\\sqrt[${index ?? ""}]${braced(base)}`],
  ["msub", ([base, sub]) => `${group(base)}_${braced(sub)}`],
  ["msup", ([base, sup]) => (sup === "\\prime" ? `${group(base)}'` : `${group(base)}^${braced(sup)}`)],
  ["msubsup", ([base, sub, sup]) => `${group(base)}_${braced(sub)}^${braced(sup)}`],
  ["munder", ([base, under]) => accent(base, under) ?? `${group(base)}_${braced(under)}`],
  ["mover", ([base, over]) => accent(base, over) ?? `${group(base)}^${braced(over)}`],
  ["munderover", ([base, under, over]) => `${group(base)}_${braced(under)}^${braced(over)}`],
]);

function part(element: Element): string {
  const { name, attribs } = element;
  const scheme = schemes.get(name);
  if (scheme !== undefined) return scheme(element.children.filter(isElement).map(part), element);
  switch (name) {
    case "mi":
    case "mo":
    case "mn":
      return leaf(element);
    case "mtext":
    case "ms":
      return /\S/.test(textContent(element)) ? `\\text{${textContent(element).replace(/\s+/g, " ")}}` : " ";
    case "mspace":
      return "\\ ";
    case "msqrt":
      return `\\sqrt{${row(element)}}`;
    case "mfenced":
      return `\\left${attribs["open"] ?? "("}${element.children.filter(isElement).map(part).join(", ")}\\right${attribs["close"] ?? ")"}`;
    case "mtable":
      return table(element);
    case "semantics": {
      const content = element.children.find(isElement);
      return content === undefined ? "" : part(content);
    }
    case "annotation":
    case "annotation-xml":
    case "mphantom":
      return "";
    default:
      return row(element);
  }
}

function leaf(element: Element): string {
  // U+2061 to U+2064 are invisible operators.
  const text = textContent(element)
    .replace(/[\u2061-\u2064]/g, "")
    .trim();
  if (functions.has(text)) return `\\${text}`;
  if (element.name === "mi" && [...text].length > 1 && /^[A-Za-z]+$/.test(text)) return `\\mathrm{${text}}`;
  const tex = [...text.replaceAll("−", "-")].map((sign) => commands[sign] ?? sign).join("");
  const letter = tex.replace(/[{}%#&$]/g, "\\$&");
  const variant = element.attribs["mathvariant"];
  if (variant === "bold") return `\\mathbf{${letter}}`;
  if (variant === "double-struck") return `\\mathbb{${letter}}`;
  if (variant === "script") return `\\mathcal{${letter}}`;
  return /^[=<>+-]$/.test(letter) || /^\\(?:leq|geq|neq|approx|equiv|in|to|rightarrow|times|cdot|pm)$/.test(letter)
    ? ` ${letter} `
    : letter;
}

function table(element: Element): string {
  const rows = element.children.filter(isElement).map((line) =>
    line.children
      .filter(isElement)
      // A labelled row begins with its number.
      .slice(line.name === "mlabeledtr" ? 1 : 0)
      .map((cell) => row(cell).trim()),
  );
  // A single cell only places a formula; several columns are TeX only within a matrix.
  if (rows.length === 1 && rows[0]!.length <= 1) return rows[0]![0] ?? "";
  return `\\begin{matrix} ${rows.map((cells) => cells.join(" & ")).join(" \\\\ ")} \\end{matrix}`;
}

const braced = (tex: string | undefined): string => `{${(tex ?? "").trim()}}`;

const group = (tex: string | undefined): string => {
  const base = (tex ?? "").trim();
  return /^(?:\\[A-Za-z]+|\\?.|\d+|\\math\w+\{\w*\})?$/su.test(base) ? base : `{${base}}`;
};

function accent(base: string | undefined, mark: string | undefined): string | undefined {
  const name = accents.get((mark ?? "").trim());
  return name === undefined ? undefined : `\\${name}${braced(base)}`;
}
