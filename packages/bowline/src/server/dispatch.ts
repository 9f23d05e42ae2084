import type { Exchange } from "../protocol/exchange.ts";
import { methodNotFound } from "../protocol/errors.ts";
import type { Result } from "../protocol/result.ts";
import { assertServed } from "../protocol/versioning.ts";
import { toAnswer } from "./call/fault.ts";
import type { MethodHandler } from "./call/method.ts";
import { RateLimiter } from "./call/rate-limiter.ts";
import { createResourceReader } from "./call/read-resource.ts";
import type { Runtime } from "./call/runtime.ts";
import { createCompletion } from "./completion.ts";
import { createDiscover } from "./discover.ts";
import type { Collection, Entry } from "./lists/collection.ts";
import type { CursorSeal } from "./lists/cursor.ts";
import { createLister } from "./lists/pages.ts";
import type { Listening } from "./listening/listening.ts";
import type { Rate } from "./call/bucket.ts";
import type { Settings } from "./options.ts";
import { createPromptGetter } from "./prompt.ts";
import type { Offer, Registry } from "./registry.ts";
import { createToolCaller } from "./tool.ts";

/** A method, and whether the server has anything behind it. */
interface Method {
  readonly answer: MethodHandler;
  readonly offer: Offer;
}

export interface DispatchParts {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly subscriptions: Listening;
  readonly seal: CursorSeal;
  readonly settings: Settings;
  readonly instructions: string | undefined;
}

export interface Dispatch {
  /** The exchange of a server, without its middleware. Rejects with an `RpcError`, or with the reason of an abort. */
  readonly exchange: Exchange;
  /** Whether the core of the protocol has a method of this name. */
  readonly isMethod: (name: string) => boolean;
}

export function createDispatch(parts: DispatchParts): Dispatch {
  const { runtime } = parts;
  const methods = createMethods(parts);
  const added = (name: string): MethodHandler | undefined => {
    const method = runtime.extensions.method(name);
    return method && guarded(async (call, context) => method(call, context), runtime);
  };
  const exchange: Exchange = (call, context) => {
    try {
      assertServed(call.meta.protocolVersion);
      const method = methods.get(call.method);
      const answer = method?.offer.wasOffered === true ? method.answer : added(call.method);
      if (answer === undefined) throw methodNotFound(call.method);
      return Promise.resolve(answer(call, context));
    } catch (error) {
      return Promise.reject(toAnswer(error, runtime, call.method));
    }
  };
  return { exchange, isMethod: (name) => methods.has(name) };
}

function createMethods(parts: DispatchParts): ReadonlyMap<string, Method> {
  const { instructions, registry, runtime, settings, subscriptions } = parts;
  const { completable, prompts, readable, resources, templates, tools } = registry;
  const { hints, rates } = settings;
  const always: Offer = { wasOffered: true };
  const list = <E extends Entry>(collection: Collection<E>): MethodHandler => {
    const options = { ...parts, ...settings, hints: hints[collection.kind], meta: runtime.meta };
    return guarded(createLister(collection, options), runtime);
  };
  const discover = createDiscover(registry, {
    instructions,
    hints: hints.discover,
    meta: runtime.meta,
    extensions: runtime.extensions,
  });
  const callTool = limited("toolCalls", rates.toolCalls, createToolCaller(tools, runtime), runtime);
  const getPrompt = createPromptGetter(prompts, runtime);
  const read = guarded(createResourceReader(registry, runtime), runtime);
  const complete = limited(
    "completions",
    rates.completions,
    createCompletion(registry, runtime),
    runtime,
  );
  return new Map<string, Method>([
    ["server/discover", { answer: discover, offer: always }],
    ["tools/list", { answer: list(tools), offer: tools }],
    ["tools/call", { answer: callTool, offer: tools }],
    ["prompts/list", { answer: list(prompts), offer: prompts }],
    ["prompts/get", { answer: getPrompt, offer: prompts }],
    ["resources/list", { answer: list(resources), offer: readable }],
    ["resources/templates/list", { answer: list(templates), offer: readable }],
    ["resources/read", { answer: read, offer: readable }],
    ["completion/complete", { answer: complete, offer: completable }],
    ["subscriptions/listen", { answer: subscriptions.listen, offer: always }],
  ]);
}

function limited(
  what: string,
  rate: Rate | undefined,
  answer: MethodHandler,
  { now }: Runtime,
): MethodHandler {
  if (rate === undefined) return answer;
  const limiter = new RateLimiter(what, rate, now);
  return (call, context) => {
    limiter.charge(context.principal);
    return answer(call, context);
  };
}

/** For methods without a handler of an author, whose own failures would go out as they are. */
function guarded(answer: MethodHandler, runtime: Runtime): MethodHandler {
  return (call, context) => {
    const result = answer(call, context);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown): Result => {
      throw context.signal.aborted ? context.signal.reason : toAnswer(error, runtime, call.method);
    });
  };
}
