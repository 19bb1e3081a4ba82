import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most tests wait for something: left to itself, Vitest keeps a processor free, which of two is half.
    maxWorkers: "100%",
    // On a slow machine that is busy all of it may take ten times as long; whoever passes waits for none of these.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    // The threads of each engine and the programs that tests start load the same files again and again.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
  },
});
