import { createClient, createServer } from "bowline";
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

// #region complete
export async function suggestLanguages(typed: string): Promise<readonly string[]> {
  await using client = createClient(server);
  const { values } = await client.complete({
    ref: { type: "ref/prompt", name: "review" },
    argument: { name: "language", value: typed },
  });
  return values;
}
// #endregion
