/** What every harbour office tells, whatever it is written with. */
export const SHIPS = ["amber", "argo", "brig"];

export const text = (value) => ({ content: [{ type: "text", text: value }] });
