/** Raw requests to both faces of an HTTP server, for one test body over the two of them. */
import { createServer } from "node:http";
import { afterEach, describe } from "vitest";
import { serveHttp } from "../src/http/index.ts";
import type { Activity } from "../src/http/index.ts";
import { createListener, type ListenerOptions } from "../src/node/index.ts";
import type { JsonObject } from "../src/json/value.ts";
import type { ExchangeSource } from "../src/protocol/exchange.ts";
import type { Result } from "../src/protocol/result.ts";
import { PROTOCOL_VERSION } from "../src/protocol/versioning.ts";
import {
  bind,
  RawExchange,
  toRequestText,
  type Answer,
  type Asked,
  type HeaderLine,
} from "./raw-exchange.ts";

/** An answer under way. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Waits for the text to contain `part`; rejects if the answer ends without it. */
  readonly until: (part: string) => Promise<string>;
  /** Waits for the end of the answer; the whole text. */
  readonly end: () => Promise<string>;
  /** Takes nothing more, but stays. */
  readonly pause: () => void;
  /** Leaves. */
  readonly abort: () => void;
}

export interface Face {
  readonly send: (asked: Asked) => Promise<Answer>;
  /** Sends and waits for the head of the answer only. */
  readonly open: (asked: Asked) => Promise<OpenAnswer>;
  /** Sends and leaves at once, before an answer. */
  readonly sendAndLeave: (asked: Asked) => Promise<() => void>;
  readonly activity: () => Activity;
  readonly close: () => Promise<void>;
  readonly authority: string;
}

export type StartFace = (source: ExchangeSource, options?: ListenerOptions) => Promise<Face>;

/** Runs a body once for each face. Faces started in a test are stopped after it. */
export function describeFaces(
  name: string,
  body: (start: StartFace, face: "node" | "web") => void,
): void {
  describe.each(["node", "web"] as const)(`${name} (%s)`, (face) => {
    const stops: (() => unknown)[] = [];
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
    });
    body(async (source, options) => {
      const started = await (face === "node" ? startNode : startWeb)(source, {
        closeGraceMs: 0,
        ...options,
      });
      stops.push(started.stop);
      return started.face;
    }, face);
  });
}

interface Started {
  readonly face: Face;
  readonly stop: () => unknown;
}

export const META: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export interface Message {
  readonly id?: string | number | undefined;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A valid tool call. */
export const CALL: Message = { id: 1, method: "tools/call", params: { name: "echo" } };

/** Changes to the headers of a valid request: a value, several fields, or none. */
export type HeaderChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request that carries a message: valid unless `headers` or `more` make it otherwise. */
export function post(
  message: Message,
  headers: HeaderChanges = {},
  more: Partial<Asked> = {},
): Asked {
  const params = { _meta: META, ...message.params };
  const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, method: message.method, params });
  const named = message.params?.[NAMED[message.method] ?? ""];
  const usual: HeaderChanges = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": PROTOCOL_VERSION,
    "Mcp-Method": message.method,
    ...(typeof named === "string" ? { "Mcp-Name": named } : {}),
  };
  const lines: HeaderLine[] = [];
  for (const [name, value] of Object.entries({ ...usual, ...headers })) {
    for (const one of typeof value === "string" ? [value] : (value ?? [])) lines.push([name, one]);
  }
  return { method: "POST", path: "/mcp", headers: lines, body, ...more };
}

/** The JSON-RPC error of an answer, with its status and id. */
export function fault({ status, text }: Answer): { status: number; code: unknown; id: unknown } {
  const message: { id?: unknown; error?: { code: unknown } } = JSON.parse(text);
  return { status, code: message.error?.code, id: message.id };
}

/** Messages in the events of a stream. */
export function eventsOf(text: string): unknown[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("data: "))
    .map((block) => JSON.parse(block.slice("data: ".length)) as unknown);
}

/** A result that is as good as any other. */
export const DONE: Result = { resultType: "complete", content: [] };

/** A clock that only moves when it is told to. */
export function createClock(): {
  readonly every: (ms: number, run: () => void) => () => void;
  readonly advance: (ms: number) => void;
} {
  const timers = new Set<{ readonly ms: number; dueMs: number; readonly run: () => void }>();
  let nowMs = 0;
  return {
    every(ms, run) {
      const timer = { ms, dueMs: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const endMs = nowMs + ms;
      while (nowMs < endMs) {
        nowMs = Math.min(nowMs + 1000, endMs);
        for (const timer of timers) {
          if (timer.dueMs > nowMs) continue;
          timer.dueMs += timer.ms;
          timer.run();
        }
      }
    },
  };
}

/** A promise and its settlement. */
export function createGate<T = void>(): {
  readonly passed: Promise<T>;
  readonly open: (value: T) => void;
} {
  const settle: { open?: (value: T) => void } = {};
  const passed = new Promise<T>((resolve) => {
    settle.open = resolve;
  });
  return { passed, open: (value) => settle.open?.(value) };
}

async function startNode(source: ExchangeSource, options: ListenerOptions): Promise<Started> {
  const listener = createListener(source, options);
  const server = createServer(listener);
  const port = await bind(server);
  const authority = `localhost:${port}`;
  const dial = (asked: Asked): RawExchange => {
    const raw = new RawExchange(port);
    raw.write(toRequestText(asked, authority));
    return raw;
  };
  const face: Face = {
    authority,
    async send(asked) {
      const raw = dial(asked);
      const answer = await raw.answer();
      raw.destroy();
      return answer;
    },
    async open(asked) {
      const raw = dial(asked);
      const { status, headers } = await raw.head();
      return {
        status,
        headers,
        until: (part) => raw.until(part),
        end: async () => (await raw.answer()).text,
        pause: () => raw.socket.pause(),
        abort: () => raw.destroy(),
      };
    },
    async sendAndLeave(asked) {
      const raw = dial(asked);
      await raw.connected;
      return () => raw.destroy();
    },
    activity: () => listener.activity(),
    close: () => listener.close(),
  };
  const stop = async (): Promise<void> => {
    await listener.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  return { face, stop };
}

async function startWeb(source: ExchangeSource, options: ListenerOptions): Promise<Started> {
  const handler = serveHttp(source, options);
  const authority = "localhost:8080";
  const face: Face = {
    authority,
    async send(asked) {
      const response = await handler(toWebRequest(asked, authority));
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
    async open(asked) {
      const leaving = new AbortController();
      const response = await handler(toWebRequest(asked, authority, leaving.signal));
      return openWebAnswer(response, leaving);
    },
    async sendAndLeave(asked) {
      const leaving = new AbortController();
      void handler(toWebRequest(asked, authority, leaving.signal));
      return () => leaving.abort();
    },
    activity: () => handler.activity(),
    close: () => handler.close(),
  };
  return { face, stop: () => handler.close() };
}

function toWebRequest(asked: Asked, authority: string, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of asked.headers) headers.append(name, value);
  if (!headers.has("host")) headers.set("host", authority);
  const hasBody = asked.method !== "GET" && asked.method !== "HEAD";
  return new Request(`http://${authority}${asked.path}`, {
    method: asked.method,
    headers,
    body: hasBody ? new Uint8Array(Buffer.from(asked.body)) : null,
    signal: signal ?? null,
  });
}

function openWebAnswer(response: Response, leaving: AbortController): OpenAnswer {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const read = async (): Promise<boolean> => {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return false;
    text += decoder.decode(chunk.value, { stream: true });
    return true;
  };
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    async until(part) {
      while (!text.includes(part)) {
        if (!(await read())) throw new Error(`the answer ended without ${part}: ${text}`);
      }
      return text;
    },
    async end() {
      while (await read());
      return text;
    },
    pause: () => undefined,
    abort() {
      // An answer that was cut cannot be cancelled any more.
      reader?.cancel().catch(() => undefined);
      leaving.abort();
    },
  };
}
