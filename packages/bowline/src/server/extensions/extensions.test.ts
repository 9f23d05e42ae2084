import { describe, expect, test } from "vitest";
import { createInbox, refusal, send } from "../../../test/calls.ts";
import { missingCapability } from "../../protocol/errors.ts";
import { createServer } from "../create-server.ts";
import type { Extension } from "./extension.ts";

interface ReceiptConfig {
  readonly receipt?: "short" | "long" | undefined;
}
interface ReceiptContext {
  readonly receipts?: { readonly count: number };
}

const ID = "com.example/receipts";
const DECLARED = { meta: { clientCapabilities: { extensions: { [ID]: {} } } } };
const MISSING = {
  code: -32021,
  message: "the client lacks a capability this request needs",
  data: { requiredCapabilities: { extensions: { [ID]: {} } } },
};

const receipts: Extension<ReceiptConfig, ReceiptContext> = {
  id: ID,
  capability: { formats: ["short", "long"] },
  methods: {
    "receipts/list": ({ params }) => ({ resultType: "complete", receipts: [], asked: params }),
  },
  resultTypes: ["receipt"],
  toolMembers: {
    receipt: (value, { name }) => {
      if (value !== "short" && value !== "long") {
        throw new TypeError(`tool "${name}": receipt is neither "short" nor "long"`);
      }
      return {
        meta: { "com.example/receipt-format": value },
        ...(value === "long" ? { requires: { extensions: { [ID]: {} } } } : {}),
      };
    },
  },
  context: (call) => ({ receipts: { count: call.method.length } }),
  middleware: async (call, context, next) => {
    const result = await next(call, context);
    return call.params["name"] === "sell" ? { ...result, resultType: "receipt" } : result;
  },
};

const INFO = { name: "shop", version: "1.0.0" };

function createShop(): ReturnType<typeof chained> {
  return chained();
}

const chained = () =>
  createServer(INFO, { serverInfo: false })
    .extend(receipts)
    .tool("sell", { receipt: "short" }, (_args, ctx) => `sold, ${ctx.receipts?.count ?? "no"}`)
    .tool("invoice", { receipt: "long" }, () => "invoiced")
    .tool("look", {}, (_args, ctx) => `looked, ${ctx.receipts?.count ?? "no"}`);

describe("an extension", () => {
  test("EXT-01 EXT-03 is told with its settings, and only where there is one", async () => {
    const extended = await send(createShop(), "server/discover");
    expect(extended["capabilities"]).toEqual({
      logging: {},
      tools: { listChanged: true },
      extensions: { [ID]: { formats: ["short", "long"] } },
    });
    const plain = await send(createServer(INFO), "server/discover");
    expect(plain["capabilities"]).toEqual({ logging: {} });
  });

  test("EXT-03 without settings of its own it is told with none", async () => {
    const server = createServer(INFO).extend({ id: "com.example/plain" });
    const { capabilities } = await send(server, "server/discover");
    expect(capabilities).toEqual({ logging: {}, extensions: { "com.example/plain": {} } });
  });

  test("EXT-04 T-56 its methods are refused to clients that did not declare it", async () => {
    const server = createShop();
    expect(await refusal(server, "receipts/list")).toEqual(MISSING);
    const other = { meta: { clientCapabilities: { extensions: { "com.example/other": {} } } } };
    expect(await refusal(server, "receipts/list", {}, other)).toEqual(MISSING);
    expect(await send(server, "receipts/list", { of: "today" }, DECLARED)).toEqual({
      resultType: "complete",
      receipts: [],
      asked: { of: "today" },
    });
  });

  test("EXT-01 every request is judged by itself", async () => {
    const server = createShop();
    await send(server, "receipts/list", {}, DECLARED);
    expect(await refusal(server, "receipts/list")).toEqual(MISSING);
  });

  test("EXT-04 a client that did not declare it gets the core behaviour", async () => {
    const call = { name: "sell", arguments: {} };
    const content = (text: string) => [{ type: "text", text }];
    const server = createShop();
    expect(await send(server, "tools/call", call)).toEqual({
      resultType: "complete",
      content: content("sold, no"),
    });
    expect(await send(server, "tools/call", call, DECLARED)).toEqual({
      resultType: "receipt",
      content: content("sold, 10"),
    });
  });

  test("a result of a kind that was not declared never leaves", async () => {
    const reported: string[] = [];
    const server = createServer(INFO, {
      onError: (error) => reported.push(error instanceof Error ? error.message : ""),
    })
      .extend({
        id: "com.example/rude",
        methods: { "rude/get": () => ({ resultType: "rude" }) },
      })
      .tool("t", {}, () => "t");
    const meta = { clientCapabilities: { extensions: { "com.example/rude": {} } } };
    expect(await refusal(server, "rude/get", {}, { meta })).toMatchObject({ code: -32603 });
    expect(reported).toEqual(["rude/get has no resultType rude"]);
  });

  test("its members of a tool are listed in _meta, and may ask for the extension", async () => {
    const server = createShop();
    const { tools } = await send(server, "tools/list");
    const NO_ARGUMENTS = { type: "object", additionalProperties: false };
    expect(tools).toEqual([
      { name: "sell", inputSchema: NO_ARGUMENTS, _meta: { "com.example/receipt-format": "short" } },
      {
        name: "invoice",
        inputSchema: NO_ARGUMENTS,
        _meta: { "com.example/receipt-format": "long" },
      },
      { name: "look", inputSchema: NO_ARGUMENTS },
    ]);
    const call = { name: "invoice", arguments: {} };
    expect(await refusal(server, "tools/call", call)).toEqual(MISSING);
    expect(await send(server, "tools/call", call, DECLARED)).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "invoiced" }],
    });
  });

  test("what it refuses of a tool's configuration is refused at registration", () => {
    const register = (): unknown =>
      createServer(INFO)
        .extend(receipts)
        // @ts-expect-error -- no such receipt
        .tool("bad", { receipt: "none" }, () => "");
    expect(register).toThrow('tool "bad": receipt is neither "short" nor "long"');
  });

  test("a member of the context that is there already is a fault, not a change of it", async () => {
    const reported: string[] = [];
    const server = createServer(INFO, {
      onError: (error) => reported.push(error instanceof Error ? error.message : ""),
    })
      .extend({ id: "com.example/greedy", context: () => ({ signal: 1 }) })
      .tool("t", {}, () => "t");
    const meta = { clientCapabilities: { extensions: { "com.example/greedy": {} } } };
    const call = { name: "t", arguments: {} };
    expect(await refusal(server, "tools/call", call, { meta })).toMatchObject({ code: -32603 });
    expect(reported).toEqual([
      "extension com.example/greedy: the context has a member signal already",
    ]);
  });

  test("its middleware runs inside of the server's, and sees what the client is sent", async () => {
    const order: string[] = [];
    const server = createServer(INFO)
      .use(async (call, context, next) => {
        order.push("server");
        const result = await next(call, context);
        order.push(result.resultType);
        return result;
      })
      .extend(receipts)
      .tool("sell", { receipt: "short" }, () => "sold");
    const { notify } = createInbox();
    await send(server, "tools/call", { name: "sell" }, { ...DECLARED, notify });
    expect(order).toEqual(["server", "receipt"]);
  });

  test("an error of its methods is answered like any other", async () => {
    const server = createServer(INFO, { onError: () => {} }).extend({
      id: "com.example/failing",
      methods: {
        "failing/known": () => {
          throw missingCapability({ roots: {} });
        },
        "failing/unknown": () => Promise.reject(new Error("secret")),
      },
    });
    const meta = { clientCapabilities: { extensions: { "com.example/failing": {} } } };
    expect(await refusal(server, "failing/known", {}, { meta })).toMatchObject({ code: -32021 });
    const unknown = await refusal(server, "failing/unknown", {}, { meta });
    expect(unknown).toMatchObject({ code: -32603, message: "Internal error" });
  });

  test.each([
    ["EXT-02 EXT-04 without a prefix", "receipts"],
    ["EXT-05 with a malformed label", "com.-example/receipts"],
    ["EXT-06 with a second slash", "com.example/a/b"],
    ["EXT-06 without a name", "com.example/"],
  ])("an id %s is refused", (_what, id) => {
    const rule = "an id reads like com.example/name";
    const extend = (): unknown => createServer(INFO).extend({ id });
    expect(extend).toThrow(`extension ${JSON.stringify(id)}: ${rule}`);
  });

  test.each([
    ["itself", receipts, "it is taken"],
    [
      "a method of the core",
      { id: "com.example/x", methods: { "tools/list": receipts.methods?.["receipts/list"] } },
      'the method "tools/list" is taken',
    ],
    [
      "a method of another extension",
      { id: "com.example/x", methods: receipts.methods },
      'the method "receipts/list" is taken',
    ],
    [
      "a member of another extension",
      { id: "com.example/x", toolMembers: { receipt: () => undefined } },
      'the member "receipt" of tools is taken',
    ],
  ])("it cannot take %s", (_what, second, reason) => {
    const server = createServer(INFO).extend(receipts);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of them are wrong on purpose
    const extend = (): unknown => server.extend(second as Extension);
    expect(extend).toThrow(reason);
  });
});
