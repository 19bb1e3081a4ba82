import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most tests wait for something: left to itself, Vitest keeps a processor free, which of two is half.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
