import { rehearse } from "bowline/testing";
import { server } from "./asking.ts";

// #region rehearse
export async function testForecast(): Promise<readonly string[]> {
  const { result, rounds, problems } = await rehearse(
    server,
    "tools/call",
    { name: "forecast", arguments: { city: "Oslo" } },
    { answer: () => ({ action: "accept", content: { unit: "F" } }) },
  );
  return [JSON.stringify(result["content"]), `${rounds.length} round`, ...problems];
}
// #endregion
