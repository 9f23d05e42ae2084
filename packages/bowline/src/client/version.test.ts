import { describe, expect, test } from "vitest";
import { RpcError, TransportError } from "../base/errors.ts";
import { createClient } from "./create-client.ts";

/** How a call fails at a server that refuses its revision with this as `error.data`, and what was sent. */
async function refusedWith(
  data: unknown,
): Promise<{ readonly error: unknown; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const client = createClient(async ({ method }) => {
    sent.push(method);
    throw new RpcError(-32022, "no", { data, origin: "peer" });
  });
  const error: unknown = await client.callTool("a").catch((reason: unknown) => reason);
  return { error, sent };
}

const ORDINARY = "update the server, or use a client that speaks one of them";

describe("a revision that is refused", () => {
  test.each<readonly [data: unknown, message: string, hint: string]>([
    [
      { supported: ["2025-11-25", "2025-06-18"], requested: "2026-07-28" },
      'the server speaks "2025-11-25", "2025-06-18"; this client speaks 2026-07-28',
      ORDINARY,
    ],
    [
      { supported: ["2027-01-01", "2025-06-18"] },
      'the server speaks "2027-01-01", "2025-06-18"; this client speaks 2026-07-28',
      "a newer version of this client may speak one of them",
    ],
    ...[
      undefined,
      null,
      "x",
      {},
      { supported: "2025-11-25" },
      { supported: [] },
      { supported: [7] },
    ].map(
      (data) =>
        [
          data,
          "the server refuses the revision, and does not say what it speaks; this client speaks 2026-07-28",
          "update the server",
        ] as const,
    ),
  ])(
    "VER-05 VER-08 with %j is told as such, and nothing else is tried",
    async (data, message, hint) => {
      const { error, sent } = await refusedWith(data);
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({
        stage: "negotiate",
        message,
        hint,
        cause: { rpcCode: -32022 },
      });
      expect(sent).toEqual(["tools/call"]);
    },
  );

  test("VER-05 a server that names this revision is asked once more, and answers", async () => {
    const sent: unknown[] = [];
    const client = createClient(async (_call, { id }) => {
      sent.push(id);
      if (sent.length > 1) return { resultType: "complete", content: [] };
      throw new RpcError(-32022, "no", { data: { supported: ["2026-07-28"] }, origin: "peer" });
    });
    expect(await client.callTool("a")).toMatchObject({ content: [] });
    expect(new Set(sent).size).toBe(2);
  });

  test("VER-05 and is given up where it refuses again", async () => {
    const { error, sent } = await refusedWith({ supported: ["2025-11-25", "2026-07-28"] });
    expect(sent).toEqual(["tools/call", "tools/call"]);
    expect(error).toMatchObject({
      stage: "negotiate",
      message: 'the server speaks "2025-11-25", "2026-07-28"; this client speaks 2026-07-28',
      hint: "it names this revision and refuses it all the same: that is a fault of the server, or of what is between",
    });
  });

  test("VER-05 what the server says is shortened, and shows nothing that acts or hides", async () => {
    const long = await refusedWith({ supported: ["\u001b[2J\u202e", "x".repeat(9_999)] });
    expect(long.error).toMatchObject({
      message: `the server speaks "\u{FFFD}[2J\u{FFFD}", "${"x".repeat(32)}"; this client speaks 2026-07-28`,
    });
    const many = await refusedWith({ supported: Array.from({ length: 99 }, (_, i) => `v${i}`) });
    expect(many.error).toMatchObject({
      message: expect.stringMatching(/^the server speaks "v0", .*"v9", …; this client/),
    });
  });

  test("VER-07 VER-08 no request goes ahead of the first call", async () => {
    const sent: string[] = [];
    const client = createClient(async ({ method }) => {
      sent.push(method);
      return { resultType: "complete", content: [] };
    });
    await client.callTool("a");
    await client.callTool("a");
    expect(sent).toEqual(["tools/call", "tools/call"]);
  });
});
