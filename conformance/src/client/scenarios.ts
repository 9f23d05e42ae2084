import type { Client } from "bowline";

/** What the referee tells of a scenario besides its name; which members there are depends on it. */
export interface ScenarioContext {
  readonly toolCalls?: readonly ToolCall[];
}

interface ToolCall {
  readonly name: string;
  readonly arguments?: object;
}

type Scenario = (client: Client, context: ScenarioContext) => Promise<unknown>;

/** The scenarios that need a client of their own; the others list the tools of the server. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ["tools_call", addNumbers],
  ["request-metadata", (client) => client.listTools()],
  ["http-standard-headers", visitEverything],
  ["http-custom-headers", makeToolCalls],
  ["http-invalid-tool-headers", callWhatIsLeft],
  ["sep-2322-client-request-state", answerRounds],
  ["json-schema-ref-no-deref", (client) => client.listTools()],
  ["json-schema-2020-12-preservation", echoSchema],
]);

async function addNumbers(client: Client): Promise<unknown> {
  await client.discover();
  await client.listTools();
  return client.callTool("add_numbers", { a: 5, b: 3 });
}

async function visitEverything(client: Client): Promise<void> {
  for (const { name } of await client.listTools()) await client.callTool(name, {});
  for (const { uri } of await client.listResources()) await client.readResource(uri);
  for (const { name } of await client.listPrompts()) await client.getPrompt(name);
}

async function makeToolCalls(client: Client, { toolCalls = [] }: ScenarioContext): Promise<void> {
  await client.listTools();
  for (const call of toolCalls) await client.callTool(call.name, { ...call.arguments });
}

async function callWhatIsLeft(client: Client): Promise<void> {
  for (const { name } of await client.listTools()) await client.callTool(name, { region: "eu" });
}

/** Each tool is called whatever became of the one before: one of them has to be refused. */
async function answerRounds(client: Client): Promise<void> {
  for (const { name } of await client.listTools()) {
    await client.callTool(name, {}).catch((error: unknown) => console.error(name, error));
  }
}

async function echoSchema(client: Client): Promise<unknown> {
  const tools = await client.listTools();
  const tool = tools.find(({ name }) => name === "json_schema_2020_12_tool");
  return client.callTool("json_schema_echo", { schema: tool?.inputSchema });
}
