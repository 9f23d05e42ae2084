import { createConnection } from "node:net";
import { connect, createClient } from "bowline";
import { connectStdio } from "bowline/stdio";

// #region connect
export async function askClock(file: string): Promise<{ content: unknown; said: string }> {
  const said: Uint8Array[] = [];
  const client = await connect({
    command: process.execPath, // a program on the PATH, or a path; never a line for a shell
    args: [file],
    env: { TZ: "UTC" },
    onStderr: (chunk) => said.push(chunk),
  });
  try {
    const { content } = await client.callTool("now");
    return { content, said: Buffer.concat(said).toString() };
  } finally {
    await client.close(); // ends the process, too
  }
}
// #endregion

// #region streams
export async function namesAt(path: string): Promise<string[]> {
  const socket = createConnection(path); // a socket is both streams
  await using client = await connect({ input: socket, output: socket });
  const tools = await client.listTools();
  return tools.map(({ name }) => name);
}
// #endregion

// #region exchange
export async function namesOf(file: string): Promise<{ tools: string[]; said: string }> {
  const connection = connectStdio({ command: process.execPath, args: [file] });
  const client = createClient(connection, { onClose: () => connection.close() });
  try {
    const tools = await client.listTools();
    return { tools: tools.map(({ name }) => name), said: connection.stderr() };
  } finally {
    await client.close();
  }
}
// #endregion
