import { createServer } from "bowline";
import * as z from "zod";

// #region prompt
const languages = ["Python", "TypeScript", "Zig"];

export const server = createServer({ name: "reviewer", version: "1.0.0" }).prompt(
  "review",
  {
    description: "A careful review of a piece of code",
    argsSchema: z.object({ code: z.string(), language: z.string().optional() }),
    complete: {
      language: (typed) => languages.filter((name) => name.startsWith(typed)),
    },
  },
  ({ code, language = "unknown" }) => `Review this ${language} code:\n\n${code}`,
);
// #endregion
