export type {
  AddOptions,
  Counter,
  DeleteOptions,
  Engine,
  EngineCallOptions,
  KeyValueStore,
  Lease,
  LeaseQueue,
  PubSub,
  PushOptions,
  PutOptions,
  ReleaseOptions,
  Revision,
  TopicListener,
  TopicSubscription,
  Versioned,
} from "./contract.ts";
export {
  createMemoryEngine,
  type MemoryEngine,
  type MemoryEngineOptions,
} from "./memory/create-memory-engine.ts";
export type { MemoryEngineLimits } from "../base/limits.ts";
