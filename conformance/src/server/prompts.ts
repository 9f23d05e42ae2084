import type { Server } from "bowline";
import * as z from "zod";
import { RED_PIXEL_PNG } from "./media.ts";

const WORDS = ["paris", "park", "party"];

/** Prompts of each kind, one of them with completion. */
export function addPrompts(server: Server): void {
  server
    .prompt("test_simple_prompt", { description: "One message" }, () => {
      return "This is a simple prompt for testing.";
    })
    .prompt(
      "test_prompt_with_arguments",
      {
        description: "Shows both arguments",
        argsSchema: z.object({
          arg1: z.string().describe("First argument"),
          arg2: z.string().describe("Second argument"),
        }),
        complete: { arg1: (prefix) => WORDS.filter((word) => word.startsWith(prefix)) },
      },
      ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    )
    .prompt(
      "test_prompt_with_embedded_resource",
      {
        description: "Embeds a resource",
        argsSchema: z.object({ resourceUri: z.string().describe("URI of the resource") }),
      },
      ({ resourceUri }) => [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        {
          role: "user",
          content: { type: "text", text: "Please process the embedded resource above." },
        },
      ],
    )
    .prompt("test_prompt_with_image", { description: "Embeds a picture" }, () => [
      {
        role: "user",
        content: { type: "image", data: RED_PIXEL_PNG, mimeType: "image/png" },
      },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ]);
}
