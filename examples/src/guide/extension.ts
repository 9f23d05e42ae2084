import { createServer } from "bowline";
import type { Extension } from "bowline/server";

// #region extension
/** What it adds to the configuration of a tool, and to the context of a handler. */
interface ReceiptConfig {
  readonly receipt?: "short" | "long" | undefined;
}
interface ReceiptContext {
  readonly receipts?: { readonly add: (line: string) => void };
}

const printed: string[] = [];

export const receipts: Extension<ReceiptConfig, ReceiptContext> = {
  id: "com.example/receipts",
  capability: { formats: ["short", "long"] },
  methods: {
    "receipts/list": () => ({ resultType: "complete", receipts: printed }),
  },
  toolMembers: {
    receipt: (format) => ({ meta: { "com.example/receipt": format } }),
  },
  context: () => ({ receipts: { add: (line) => printed.push(line) } }),
};

export const server = createServer({ name: "shop", version: "1.0.0" })
  .extend(receipts)
  .tool("sell", { receipt: "short" }, (_args, ctx) => {
    ctx.receipts?.add("one apple");
    return "sold";
  });
// #endregion
