import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "{examples,conformance,interop,bench,runtimes,tools}/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    reporters: ["default", "./tools/vitest-reporter.mjs"],
  },
});
