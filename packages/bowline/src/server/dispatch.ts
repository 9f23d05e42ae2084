import type { Exchange } from "../protocol/exchange.ts";
import { methodNotFound, unsupportedVersion } from "../protocol/errors.ts";
import type { Result } from "../protocol/result.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";
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
import type { Subscriptions } from "./listen.ts";
import type { Rate, Settings } from "./options.ts";
import { createPromptGetter } from "./prompt.ts";
import type { Registry } from "./registry.ts";
import { createToolCaller } from "./tool.ts";

const always = (): boolean => true;

/** A method, and whether the server has anything behind it. */
interface Method {
  readonly answer: MethodHandler;
  readonly isOffered: () => boolean;
}

export interface DispatchParts {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly subscriptions: Subscriptions;
  readonly seal: CursorSeal;
  readonly settings: Settings;
  readonly instructions: string | undefined;
}

/** The exchange of a server, without its middleware. Rejects with an `RpcError`, or with the reason of an abort. */
export function createDispatch(parts: DispatchParts): Exchange {
  const { runtime } = parts;
  const methods = createMethods(parts);
  return (call, context) => {
    try {
      const { protocolVersion } = call.meta;
      if (protocolVersion !== PROTOCOL_VERSION) {
        throw unsupportedVersion(protocolVersion, [PROTOCOL_VERSION]);
      }
      const method = methods.get(call.method);
      if (method === undefined || !method.isOffered()) throw methodNotFound(call.method);
      return Promise.resolve(method.answer(call, context));
    } catch (error) {
      return Promise.reject(toAnswer(error, runtime, call.method));
    }
  };
}

function createMethods(parts: DispatchParts): ReadonlyMap<string, Method> {
  const { instructions, registry, runtime, settings, subscriptions } = parts;
  const { tools, prompts, resources, templates } = registry;
  const { hints, rates } = settings;
  const hasTools = (): boolean => tools.wasOffered;
  const hasPrompts = (): boolean => prompts.wasOffered;
  const hasResources = (): boolean => registry.offersResources;
  const hasCompletion = (): boolean => registry.wasCompletable;
  const list = <E extends Entry>(collection: Collection<E>): MethodHandler => {
    const options = { ...parts, ...settings, hints: hints[collection.kind], meta: runtime.meta };
    return guarded(createLister(collection, options), runtime);
  };
  const discover = createDiscover(registry, {
    instructions,
    hints: hints.discover,
    meta: runtime.meta,
  });
  const callTool = limited("toolCalls", rates.toolCalls, createToolCaller(tools, runtime), runtime);
  const getPrompt = createPromptGetter(prompts, runtime);
  const read = createResourceReader(registry, runtime);
  const complete = limited(
    "completions",
    rates.completions,
    createCompletion(registry, runtime),
    runtime,
  );
  const listen = guarded(subscriptions.listen, runtime);
  return new Map<string, Method>([
    ["server/discover", { answer: discover, isOffered: always }],
    ["tools/list", { answer: list(tools), isOffered: hasTools }],
    ["tools/call", { answer: callTool, isOffered: hasTools }],
    ["prompts/list", { answer: list(prompts), isOffered: hasPrompts }],
    ["prompts/get", { answer: getPrompt, isOffered: hasPrompts }],
    ["resources/list", { answer: list(resources), isOffered: hasResources }],
    ["resources/templates/list", { answer: list(templates), isOffered: hasResources }],
    ["resources/read", { answer: read, isOffered: hasResources }],
    ["completion/complete", { answer: complete, isOffered: hasCompletion }],
    ["subscriptions/listen", { answer: listen, isOffered: always }],
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
