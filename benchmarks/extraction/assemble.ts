/** Assembles `tree-sums.wat`, the loop over the trees, and writes its bytes to the module that the package imports. */
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const folder = new URL("../../src/transform/main-content/", import.meta.url);
const { parseWat } = await wabt();
const source = parseWat("tree-sums.wat", readFileSync(new URL("tree-sums.wat", folder), "utf8"));
const bytes = Buffer.from(source.toBinary({}).buffer);
writeFileSync(
  new URL("tree-sums.wasm.ts", folder),
  `/** The bytes of tree-sums.wat as base64; \`npm run assemble\` writes them. */
export const TREE_SUMS =
  "${bytes.toString("base64")}";
`,
);
console.log(`${bytes.length} bytes`);
