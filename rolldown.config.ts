/** Bundles the package's own modules: to find and read hundreds of small files takes a host's start longer than to run them. */
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
    // Threads. They are started by the address of a file beside the one that starts them, so they keep their sources' names.
    worker: "./src/transform/worker.ts",
    "thread-worker": "./src/drivers/sqlite/thread-worker.ts",
  },
  platform: "node",
  // All packages, and Node's own.
  external: /^[a-z@]/,
  // One folder for all files, so that "beside" is the same in whichever of them a module ends up.
  output: { dir: "dist", cleanDir: true, chunkFileNames: "[name].js" },
});
