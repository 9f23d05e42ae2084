import type { IncomingMessage } from "node:http";
import type { HttpServerLimits } from "../base/limits.ts";
import { BodyPieces } from "../http/request/body-pieces.ts";
import type { Ticker, Ticking } from "../http/answer/ticker.ts";

export interface UploadOptions {
  readonly limits: HttpServerLimits;
  readonly ticker: Ticker;
  readonly onBody: (body: Uint8Array) => void;
  readonly onRefused: (reason: "size" | "pace") => void;
}

/** Reads a body up to the limit, and gives up on one that comes too slowly. */
export class Upload implements Ticking {
  readonly #request: IncomingMessage;
  readonly #options: UploadOptions;
  readonly #startMs: number;
  readonly #body = new BodyPieces();
  #isOver = false;

  constructor(request: IncomingMessage, options: UploadOptions) {
    this.#request = request;
    this.#options = options;
    this.#startMs = options.ticker.nowMs;
  }

  start(): void {
    this.#options.ticker.add(this);
    this.#request.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#request.on("end", () => this.#finish());
  }

  tick(nowMs: number): void {
    if (this.#request.destroyed) {
      this.#stop();
      return;
    }
    const ageMs = nowMs - this.#startMs;
    const { bodyTimeoutMs, bodyGraceMs, minBodyBytesPerSecond } = this.#options.limits;
    const isSlow = ageMs > bodyGraceMs && this.#body.size < (ageMs / 1000) * minBodyBytesPerSecond;
    if (isSlow || ageMs > bodyTimeoutMs) this.#refuse("pace");
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#body.add(chunk);
    if (this.#body.size > this.#options.limits.maxRequestBytes) this.#refuse("size");
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#stop();
    const body = this.#body.join();
    this.#body.clear();
    this.#options.onBody(body);
  }

  #refuse(reason: "size" | "pace"): void {
    this.#stop();
    this.#body.clear();
    this.#options.onRefused(reason);
  }

  #stop(): void {
    this.#isOver = true;
    this.#options.ticker.delete(this);
  }
}
