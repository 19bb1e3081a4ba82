// Names of programming languages, as highlighters use them.

/** Names that are unambiguous even if nothing else says that they are languages. */
const names: ReadonlySet<string> = new Set(
  (
    "abap actionscript ada apex apl applescript arduino asciidoc asm asp assembly autohotkey awk bash basic bat batch " +
    "bicep bibtex c c++ c# cfml clojure cmake cobol coffee coffeescript console cpp crystal cs csharp csh css csv cuda " +
    "cypher d dart delphi diff docker dockerfile dos dot elisp elixir elm erb erl erlang f# fish fortran fsharp gherkin " +
    "glsl go golang gradle graphql groovy haml handlebars haskell haxe hcl hlsl hs html http ini java javascript " +
    "jinja js json json5 jsonc jsp jsx julia kotlin kt latex less liquid lisp llvm log lua makefile markdown markup " +
    "mathematica matlab md mdx mermaid mysql nasm nginx nim nix nsis objc objective-c objectivec ocaml octave pascal " +
    "patch perl pgsql php pl plsql postgresql powershell prolog proto protobuf ps1 pug puppet py pycon python python2 " +
    "python3 qml r racket rb reason rest rst ruby rust sas sass scala scheme scss sh shell shell-session sml " +
    "solidity sparql sql stylus svelte swift systemverilog tcl terraform tex toml ts tsql tsx twig typescript vala vb " +
    "vbnet vbscript verilog vhdl vim vue wasm wgsl xaml xml xquery xslt yaml yml zig zsh"
  ).split(" "),
);

/** Names that markdown readers do not know, and the names to use instead. */
const standsFor: ReadonlyMap<string, string> = new Map([["ipython", "python"]]);

export const isLanguage = (name: string): boolean => names.has(languageNamed(name));

/** The name to write for a name that a page uses. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return standsFor.get(lower.replace(/\d$/, "")) ?? lower;
}

/** Names for the same language, or for languages that labels do not distinguish. */
const groups = [
  "bash sh shell zsh console terminal shell-session shellsession command-line cli",
  "c# csharp cs",
  "c++ cpp cplusplus",
  "css scss sass less",
  "docker dockerfile",
  "f# fsharp",
  "go golang",
  "haskell hs",
  "html markup xml svg",
  "javascript js jsx node.js nodejs react-jsx",
  "json json5 jsonc",
  "kotlin kt",
  "latex tex",
  "markdown md mdx",
  "objective-c objectivec objc",
  "powershell ps1 pwsh",
  "protobuf proto",
  "python py python3 pycon",
  "ruby rb",
  "rust rs",
  "typescript ts tsx",
  "vb vbnet vb.net visual-basic",
  "yaml yml",
];
const groupOf: ReadonlyMap<string, string> = new Map(
  groups.flatMap((group) => group.split(" ").map((name) => [name, group])),
);

/** True if a label only repeats the language with which a code block is marked anyway. */
export function sameLanguage(label: string, language: string): boolean {
  const name = label.toLowerCase().replace(/\s+/g, "-");
  return (
    name === language ||
    (language !== "" && groupOf.get(name) !== undefined && groupOf.get(name) === groupOf.get(language))
  );
}
