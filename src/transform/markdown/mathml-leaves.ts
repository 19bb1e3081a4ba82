// The signs, names, texts and spaces of a formula, from MathML to TeX.

import type { Element } from "domhandler";
import { textContent } from "../html/walk.ts";

/** Signs and their commands; others stay as they are, since present TeX engines can read them. */
const commands: ReadonlyMap<string, string> = new Map([
  ...pairsOf(
    "α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho " +
      "σ sigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega ϵ epsilon ϕ phi ϑ vartheta ϱ varrho ς varsigma ϖ varpi Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi " +
      "Σ Sigma Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∫ int ∬ iint ∮ oint ∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div " +
      "⋅ cdot · cdot ∘ circ ∗ ast ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni " +
      "⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∖ setminus ∀ forall ∃ exists ¬ neg ∧ land ∨ lor " +
      "→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow " +
      "… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ | ⊕ oplus ⊗ otimes ⊥ perp " +
      "∥ parallel ∠ angle ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph ′ prime ″ prime\\prime ‴ prime\\prime\\prime † dagger ★ star " +
      "⊤ top √ surd \\ backslash ~ sim ^ hat{} { { } } % % # # & & $ $ _ _",
  ),
  ["−", "-"],
]);

function pairsOf(text: string): [string, string][] {
  return [...text.matchAll(/(\S+) (\S+)/g)].map(([, sign, name]) => [sign!, `\\${name}`]);
}

const functions: ReadonlySet<string> = new Set(
  "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker deg gcd arg".split(
    " ",
  ),
);

const variants: Readonly<Record<string, string>> = {
  bold: "mathbf",
  "bold-italic": "boldsymbol",
  "double-struck": "mathbb",
  fraktur: "mathfrak",
  monospace: "mathtt",
  "sans-serif": "mathsf",
  script: "mathcal",
};

/** Parts one after another. A command and a letter after it need a space between them. */
export function joinTex(parts: readonly string[]): string {
  let tex = "";
  let last = "";
  for (const next of parts) {
    if (next === "") continue;
    if (/\\[A-Za-z]+$/.test(last) && /^[A-Za-z]/.test(next)) tex += " ";
    tex += next;
    last = next.slice(-40);
  }
  return tex;
}

/** The TeX of a name, an operator or a number. */
export function leafTex(element: Element): string {
  // U+2061 to U+2064 are invisible operators.
  const text = textContent(element)
    .replace(/[\u2061-\u2064]/g, "")
    .trim();
  if (functions.has(text)) return `\\${text}`;
  const { mathvariant = "" } = element.attribs;
  const variant = Object.hasOwn(variants, mathvariant) ? variants[mathvariant] : undefined;
  if (element.name === "mi" && /^[A-Za-z]{2,}$/.test(text)) return `\\${variant ?? "mathrm"}{${text}}`;
  const tex = joinTex([...text].map((sign) => commands.get(sign) ?? sign));
  if (variant !== undefined) return `\\${variant}{${tex}}`;
  return isRelation(tex) ? ` ${tex} ` : tex;
}

const isRelation = (tex: string): boolean =>
  /^(?:[=<>+-]|\\(?:leq|geq|neq|approx|equiv|in|to|rightarrow|times|cdot|pm))$/.test(tex);

/** The TeX of words among a formula. */
export function textTex(element: Element): string {
  const text = textContent(element).replace(/\s+/g, " ");
  return text.trim() === "" ? " " : `\\text{${text.replace(/[\\^~{}%#&$_]/g, escaped)}}`;
}

const names: Readonly<Record<string, string>> = { "\\": "backslash", "^": "asciicircum", "~": "asciitilde" };

function escaped(sign: string): string {
  const name = names[sign];
  return name === undefined ? `\\${sign}` : `\\text${name}{}`;
}

/** In ems, how wide a space is at least, and its command. */
const spaces = [
  [1.5, "\\qquad"],
  [0.7, "\\quad"],
  [0.2, "\\;"],
  [0.05, "\\,"],
] as const;

/** The TeX of an empty space. */
export function spaceTex({ attribs }: Element): string {
  const { width = "" } = attribs;
  const ems = width.endsWith("mathspace") ? (width.includes("thin") ? 0.17 : 0.25) : emsOf(width);
  return spaces.find(([least]) => ems >= least)?.[1] ?? "";
}

const emsIn: Readonly<Record<string, number>> = { em: 1, ex: 0.5, px: 1 / 16, pt: 1 / 12 };

function emsOf(width: string): number {
  const [, number, unit] = /^([\d.]{1,20})(em|ex|px|pt)$/.exec(width) ?? [];
  return unit === undefined ? 0 : Number(number) * emsIn[unit]!;
}
