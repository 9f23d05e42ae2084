import { invalidParams } from "../../protocol/errors.ts";
import type { Principal } from "../../protocol/exchange.ts";
import { HandlerContext } from "../context.ts";
import type { Registry } from "../registry.ts";
import { resourceNotFound } from "../resource.ts";
import { resourceToResult } from "../results/resource-result.ts";
import type { Found } from "./find-resource.ts";
import type { MethodHandler } from "./method.ts";
import { isPromiseLike, run, type Work } from "./run.ts";
import type { Runtime } from "./runtime.ts";

/** A read under way: what answers is found when it starts. */
interface Reading {
  readonly uri: string;
  found?: Found | undefined;
}

/** Answers `resources/read`. */
export function createResourceReader(registry: Registry, runtime: Runtime): MethodHandler {
  const { meta } = runtime;
  const work: Work<Reading, Principal | undefined> = {
    start: (reading, principal, context) => {
      const found = registry.finder.find(reading.uri, principal);
      return isPromiseLike(found)
        ? found.then((later) => proceed(reading, later, context))
        : proceed(reading, found, context);
    },
    convert: ({ uri, found }, value) => {
      if (found === undefined) throw resourceNotFound(uri);
      const { mimeType, hints } = found.entry;
      return resourceToResult(value, { uri, mimeType, hints, meta });
    },
  };
  return (call, transport) => {
    const { uri } = call.params;
    if (typeof uri !== "string") throw invalidParams("params.uri is not a string");
    const context = new HandlerContext(runtime, call, transport);
    return run(work, { uri }, transport.principal, { runtime, context });
  };
}

function proceed(reading: Reading, found: Found | undefined, context: HandlerContext): unknown {
  if (found === undefined) throw resourceNotFound(reading.uri);
  reading.found = found;
  context.subject = found.entry.label;
  return found.call(context);
}
