/** The program of a web page on an origin of its own: what it saw of the notes server is left on `window`. */
import { connect } from "bowline";

declare global {
  interface Window {
    visit?: (url: string) => Promise<unknown>;
  }
}

window.visit = async (url) => {
  const asked: string[] = [];
  await using client = await connect(url, {
    onElicit: ({ message }) => {
      asked.push(message);
      return { action: "accept" };
    },
  });
  const { supportedVersions } = await client.discover();
  const tools = (await client.listTools()).map(({ name }) => name);
  const found = await client.callTool("search_notes", { query: "gulls" });
  const progress: number[] = [];
  const { isError } = await client.callTool(
    "reindex",
    {},
    { onProgress: (step) => progress.push(step.progress) },
  );
  await using changes = await client.listen({ resourcesListChanged: true });
  const change = changes.next();
  const deleted = await client.callTool("delete_note", { path: "meadow.md" });
  return {
    supportedVersions,
    tools,
    found: found.structuredContent,
    progress,
    isError,
    asked,
    deleted: deleted.structuredContent,
    change: (await change).value,
  };
};
