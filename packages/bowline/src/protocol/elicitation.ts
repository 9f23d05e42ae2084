export interface ElicitFormParams {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: any;
}
export interface ElicitUrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
}
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: any;
}
