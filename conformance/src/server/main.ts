import { createServer } from "bowline";
import { listen } from "bowline/node";
import { addAskingPrompt, addAskingTools, addMoreAskingTools } from "./input-rounds.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import {
  addChangingTools,
  addContentTools,
  addDemandingTools,
  addNotifyingTools,
} from "./tools.ts";

// What the official suite asks of a server, on the public API alone. The first line it prints is its URL.
const server = createServer({ name: "bowline-conformance", version: "1.0.0" });
addContentTools(server);
addNotifyingTools(server);
addDemandingTools(server);
addChangingTools(server);
addResources(server);
addPrompts(server);
addAskingTools(server);
addMoreAskingTools(server);
addAskingPrompt(server);

const running = await listen(server, { port: Number(process.argv[2] ?? 0) });
console.log(running.url);
