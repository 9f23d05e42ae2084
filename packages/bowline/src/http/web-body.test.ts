import { describe, expect, test } from "vitest";
import { createClock, fault, post, CALL, DONE } from "../../test/http.ts";
import { serveHttp, type ServeHttpOptions } from "./index.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request whose body comes when it is told to. */
function createUpload() {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  let reason: unknown;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controllers.push(controller);
    },
    cancel: (why) => {
      reason = why ?? "cancelled";
    },
  });
  const { headers } = post(CALL);
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
    // @ts-expect-error Node wants it for bodies that are streams
    duplex: "half",
  });
  return {
    request,
    push: (text: string) => controllers[0]?.enqueue(new TextEncoder().encode(text)),
    end: () => controllers[0]?.close(),
    fail: (error: Error) => controllers[0]?.error(error),
    cancelled: () => reason,
  };
}

const serve = (options: ServeHttpOptions = {}) => serveHttp(() => Promise.resolve(DONE), options);
const answerOf = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  text: await response.text(),
});

describe("bodies of web requests", () => {
  test("T-07 arrive whole in pieces of any size", async () => {
    const text = String(post(CALL).body);
    for (const size of [1, 7, text.length]) {
      const upload = createUpload();
      const response = serve()(upload.request);
      for (let at = 0; at < text.length; at += size) upload.push(text.slice(at, at + size));
      upload.end();
      expect((await response).status).toBe(200);
    }
  });

  test("T-07 BR-026 over the limit are given up, whatever was declared", async () => {
    const upload = createUpload();
    const response = serve({ limits: { maxRequestBytes: 1_000 } })(upload.request);
    upload.push("x".repeat(600));
    upload.push("x".repeat(600));
    expect(fault(await answerOf(await response))).toEqual({
      status: 413,
      code: -31001,
      id: undefined,
    });
    expect(upload.cancelled()).toBe("cancelled");
  });

  test("T-28 too slow are given up, and hold no place meanwhile", async () => {
    const clock = createClock();
    const upload = createUpload();
    const handler = serve({ every: clock.every });
    const response = handler(upload.request);
    for (let second = 0; second < 6; second++) {
      upload.push("x".repeat(900));
      await settled();
      expect(handler.activity().calls).toBe(0);
      clock.advance(1_000);
    }
    expect(fault(await answerOf(await response))).toEqual({
      status: 408,
      code: -32600,
      id: undefined,
    });
    expect(upload.cancelled()).toBe("cancelled");
  });

  test("T-28 fast enough go on until the time for the whole is up", async () => {
    const clock = createClock();
    const upload = createUpload();
    const response = serve({ every: clock.every })(upload.request);
    let isAnswered = false;
    const noteAnswer = async (): Promise<void> => {
      await response;
      isAnswered = true;
    };
    const noted = noteAnswer();
    for (let second = 1; second <= 31; second++) {
      expect(isAnswered).toBe(false);
      upload.push("x".repeat(2_000));
      await settled();
      clock.advance(1_000);
      await settled();
    }
    await noted;
    expect((await response).status).toBe(408);
  });

  test("T-31 that break off end the exchange without a word", async () => {
    const upload = createUpload();
    const response = serve({ onError: (error) => expect(error).toBeUndefined() })(upload.request);
    upload.push("{");
    upload.fail(new Error("gone"));
    const { status, text } = await answerOf(await response);
    expect([status, text]).toEqual([503, ""]);
  });
});
