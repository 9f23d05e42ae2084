import { ToolError, type Server } from "bowline";
import { setTimeout as delay } from "node:timers/promises";
import { RED_PIXEL_PNG, SILENCE_WAV } from "./media.ts";
import { ADDRESS_BOOK_SCHEMA } from "./schemas.ts";

/** The pause the referee allows for between two notifications of one call. */
const BETWEEN_NOTIFICATIONS_MS = 50;

/** Tools that return one kind of content each. */
export function addContentTools(server: Server): void {
  server
    .tool("test_simple_text", { description: "Returns one text block" }, () => {
      return "This is a simple text response for testing.";
    })
    .tool("test_image_content", { description: "Returns one image block" }, () => {
      return { type: "image", data: RED_PIXEL_PNG, mimeType: "image/png" };
    })
    .tool("test_audio_content", { description: "Returns one audio block" }, () => {
      return { type: "audio", data: SILENCE_WAV, mimeType: "audio/wav" };
    })
    .tool("test_embedded_resource", { description: "Returns one embedded resource" }, () => ({
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }))
    .tool("test_multiple_content_types", { description: "Returns text, image, resource" }, () => [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: RED_PIXEL_PNG, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ])
    .tool("test_error_handling", { description: "Always fails" }, () => {
      throw new ToolError("This tool intentionally returns an error for testing");
    });
}

/** Tools that send something before their result. */
export function addNotifyingTools(server: Server): void {
  server
    .tool("test_tool_with_logging", { description: "Logs three times" }, async (_args, ctx) => {
      await ctx.log.info("Tool execution started");
      await delay(BETWEEN_NOTIFICATIONS_MS);
      await ctx.log.info("Tool processing data");
      await delay(BETWEEN_NOTIFICATIONS_MS);
      await ctx.log.info("Tool execution completed");
      return "Logged three times.";
    })
    .tool("test_tool_with_progress", { description: "Reports progress" }, async (_args, ctx) => {
      await ctx.progress(0, 100);
      await delay(BETWEEN_NOTIFICATIONS_MS);
      await ctx.progress(50, 100);
      await delay(BETWEEN_NOTIFICATIONS_MS);
      await ctx.progress(100, 100);
      return "Reported progress three times.";
    })
    .tool("test_logging_tool", { description: "Logs once" }, async (_args, ctx) => {
      await ctx.log.info("A message for whoever asked for log messages");
      return "Logged once.";
    });
}

/** Tools whose schema or demands are what is tested. */
export function addDemandingTools(server: Server): void {
  server
    .tool(
      "json_schema_2020_12_tool",
      { description: "Has a schema of many keywords", inputSchema: ADDRESS_BOOK_SCHEMA },
      (args) => JSON.stringify(args),
    )
    .tool(
      "test_x_mcp_header",
      {
        description: "Mirrors its argument in a header",
        inputSchema: {
          type: "object",
          properties: { region: { type: "string", "x-mcp-header": "Region" } },
        },
      },
      ({ region }) => `region: ${region ?? "none"}`,
    )
    .tool(
      "test_missing_capability",
      { description: "Needs a client that samples", requires: { sampling: {} } },
      () => "The client declared sampling.",
    )
    .tool("test_streaming_elicitation", { description: "Answers without asking" }, () => {
      return "Nothing had to be asked.";
    });
}

/** Tools that change what the server lists, while it runs. */
export function addChangingTools(server: Server): void {
  let tool = false;
  let prompt = false;
  server
    .tool("test_trigger_tool_change", { description: "Adds or removes a tool" }, () => {
      tool = !tool;
      if (tool) server.tool("test_added_tool", { description: "Comes and goes" }, () => "here");
      else server.removeTool("test_added_tool");
      return tool ? "tool added" : "tool removed";
    })
    .tool("test_trigger_prompt_change", { description: "Adds or removes a prompt" }, () => {
      prompt = !prompt;
      if (prompt) server.prompt("test_added_prompt", { description: "Comes and goes" }, () => "hi");
      else server.removePrompt("test_added_prompt");
      return prompt ? "prompt added" : "prompt removed";
    });
}
