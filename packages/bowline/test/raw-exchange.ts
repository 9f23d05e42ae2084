/** HTTP as bytes on a socket, for requests that no client would send. */
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";

export type HeaderLine = readonly [name: string, value: string];

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export async function bind(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new TypeError("the server has no port");
  return address.port;
}

/** The bytes of a request, as latin1 text. */
export function toRequestText({ method, path, headers, body }: Asked, authority: string): string {
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (!has("host")) lines.unshift(`Host: ${authority}`);
  if (!has("content-length") && !has("transfer-encoding")) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${bytes.toString("latin1")}`;
}

/** One socket, one request, and what comes back. */
export class RawExchange {
  readonly socket: Socket;
  readonly connected: Promise<unknown>;
  /** All bytes received so far, as latin1. */
  received = "";
  #isEnded = false;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.connected = once(this.socket, "connect");
    this.socket.setEncoding("latin1");
    this.socket.on("data", (chunk: string) => {
      this.received += chunk;
      this.#wake?.();
    });
    for (const event of ["end", "close", "error"]) {
      this.socket.on(event, () => {
        this.#isEnded = true;
        this.#wake?.();
      });
    }
  }

  write(text: string): void {
    this.socket.write(text, "latin1");
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Waits until nothing more comes. */
  async ended(): Promise<string> {
    while (!this.#isEnded) await this.#more();
    return this.received;
  }

  async head(): Promise<Answer> {
    for (;;) {
      const answer = parseAnswer(this.received);
      if (answer !== undefined) return answer;
      await this.#more("the head of an answer");
    }
  }

  async until(part: string): Promise<string> {
    const wanted = Buffer.from(part).toString("latin1");
    while (!this.received.includes(wanted)) await this.#more(part);
    return this.received;
  }

  /** Waits for one whole answer. */
  async answer(): Promise<Answer> {
    for (;;) {
      const answer = parseAnswer(this.received);
      if (answer?.isWhole === true || (answer?.isUntilEnd === true && this.#isEnded)) return answer;
      await this.#more("a whole answer");
    }
  }

  async #more(expected?: string): Promise<void> {
    if (this.#isEnded) {
      if (expected === undefined) return;
      throw new Error(`connection ended without ${expected}: ${this.received.slice(0, 500)}`);
    }
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

interface ParsedAnswer extends Answer {
  readonly isWhole: boolean;
  readonly isUntilEnd: boolean;
}

function parseAnswer(received: string): ParsedAnswer | undefined {
  const split = received.indexOf("\r\n\r\n");
  if (split === -1) return undefined;
  const [first = "", ...lines] = received.slice(0, split).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(first.split(" ")[1]);
  const rest = received.slice(split + 4);
  const isChunked = headers["transfer-encoding"] === "chunked";
  const length = headers["content-length"];
  const chunked = isChunked ? joinChunks(rest) : undefined;
  const body = chunked?.text ?? (length === undefined ? rest : rest.slice(0, Number(length)));
  return {
    status,
    headers,
    text: Buffer.from(body, "latin1").toString("utf8"),
    isWhole:
      chunked?.isWhole ??
      ((length !== undefined && rest.length >= Number(length)) || status === 204),
    isUntilEnd: !isChunked && length === undefined,
  };
}

function joinChunks(rest: string): { text: string; isWhole: boolean } {
  let text = "";
  let offset = 0;
  for (;;) {
    const line = rest.indexOf("\r\n", offset);
    if (line === -1) return { text, isWhole: false };
    const size = Number.parseInt(rest.slice(offset, line), 16);
    if (size === 0) return { text, isWhole: true };
    text += rest.slice(line + 2, line + 2 + size);
    offset = line + 2 + size + 2;
  }
}
