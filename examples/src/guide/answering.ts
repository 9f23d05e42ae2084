import { connect, type Client } from "bowline";
import { askUser } from "./travel.ts";

// #region answer
export function connectTravel(url: string): Promise<Client> {
  return connect(url, {
    onElicit: async ({ message, requestedSchema }, { signal }) => {
      const content = await askUser(message, Object.keys(requestedSchema.properties), signal);
      return content === undefined ? { action: "decline" } : { action: "accept", content };
    },
    roots: [{ uri: "file:///home/ann/trips", name: "Trips" }],
  });
}
// #endregion
