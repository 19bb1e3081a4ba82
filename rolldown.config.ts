/** Bundles the package's own modules: to find and read hundreds of small files takes a host's start longer than to run them. */
import { readFile } from "node:fs/promises";
import { defineConfig } from "rolldown";

export default defineConfig({
  input: {
    index: "./src/index.ts",
    sqlite: "./src/drivers/sqlite/index.ts",
    postgres: "./src/drivers/postgres/index.ts",
    opentelemetry: "./src/drivers/open-telemetry.ts",
    testing: "./src/testing/index.ts",
    // Apart, so that the bundler of a program that only receives webhooks finds it without the engine.
    "webhook-signature": "./src/drivers/webhook-signature.ts",
    // Threads. They are started by the address of a file beside the one that starts them. In a program that was bundled
    // with this package that is the program's folder, where a plain name might be that of a file of its own.
    "crawlcore-transform-thread": "./src/transform/thread-worker.ts",
    "crawlcore-storage-thread": "./src/drivers/sqlite/thread-worker.ts",
  },
  platform: "node",
  // All packages but one, and Node's own. Zod's entry loads its messages in fifty languages, a quarter of what importing
  // this package cost; what is used of it comes along instead. It stays a dependency, for the declarations name its types.
  external: /^(?!zod(\/|$))[a-z@]/,
  plugins: [
    {
      // Zod keeps its settings and the descriptions of schemas in global variables, so that all copies share them. This
      // copy keeps its own: a host's zod would otherwise give other texts of errors once this package is imported.
      name: "own-zod-settings",
      transform: {
        filter: { id: /\bzod[\\/]v4[\\/]core[\\/](?:core|registries)\.js$/ },
        handler: (code) => `const ownSettings = {};\n${code.replaceAll("globalThis", "ownSettings")}`,
      },
    },
    {
      name: "notices",
      async generateBundle() {
        const source = await readFile("node_modules/zod/LICENSE");
        this.emitFile({ type: "asset", fileName: "zod.LICENSE", source });
      },
    },
  ],
  // One folder for all files, so that "beside" is the same in whichever of them a module ends up.
  // What the entry shares with code that is loaded later is a file of its own, which would be named after its folder.
  output: { dir: "dist", cleanDir: true, chunkFileNames: ({ name }) => (name === "src" ? "engine.js" : "[name].js") },
});
