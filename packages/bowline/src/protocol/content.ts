import type { JsonObject } from "../json/value.ts";
import type { Icon } from "./implementation.ts";

export type Role = "user" | "assistant";

export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 to 1; 1 is the most important. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface Annotated {
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

export interface TextContent extends Annotated {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent extends Annotated {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends Annotated {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLink extends Annotated {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

export interface EmbeddedResource extends Annotated {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource;

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: JsonObject;
}

export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: string;
  readonly _meta?: JsonObject;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;
