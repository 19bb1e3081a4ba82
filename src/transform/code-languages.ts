// Names of the languages that code is written in, as highlighters use them.

/** Those that say what they mean also where nothing else says that they are languages. */
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

/** Names that no reader of markdown knows, and what they stand for. */
const standsFor: ReadonlyMap<string, string> = new Map([["ipython", "python"]]);

export const isLanguage = (name: string): boolean => names.has(languageNamed(name));

/** The name to write for one that a page uses. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return standsFor.get(lower.replace(/\d$/, "")) ?? lower;
}
