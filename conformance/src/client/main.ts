/** The client the referee starts, once for each scenario: `node main.js <url>`. */
import { connect } from "bowline";
import { SCENARIOS, type ScenarioContext } from "./scenarios.ts";

const url = process.argv.at(-1) ?? "";
const name = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: ScenarioContext = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

const run = SCENARIOS.get(name);
if (run === undefined) throw new Error(`scenario ${JSON.stringify(name)} is not known`);
await using client = await connect(url, {
  info: { name: "bowline-conformance", version: "1.0.0" },
  onElicit: () => ({ action: "accept", content: { confirmed: true } }),
  onSample: () => ({
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "bowline-conformance",
  }),
  roots: [{ uri: "file:///work" }],
});
await run(client, context);
