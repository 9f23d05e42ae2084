export { createListener, type ListenerOptions, type NodeListener } from "./listener.ts";
export { listen, type ListenOptions, type RunningServer } from "./listen.ts";
