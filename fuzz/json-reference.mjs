/** A plain reading of JSON with the same refusals as ours: obvious rather than fast, and written without a look at it. */

class Refusal extends Error {}

const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** `{ value }`, or `{ reason }` for what is to be refused. */
export function readReference(bytes, limits) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const reader = new Reader(text, limits);
    return { value: reader.document() };
  } catch (error) {
    if (error instanceof Refusal || error instanceof TypeError) return { reason: error.message };
    throw error;
  }
}

class Reader {
  constructor(text, limits) {
    this.text = text;
    this.limits = limits;
    this.at = 0;
    this.nodes = 0;
    this.members = 0;
  }

  document() {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.refuse("text after the document");
    return value;
  }

  value(depth) {
    this.space();
    this.nodes += 1;
    if (this.nodes > this.limits.maxJsonNodes) this.refuse("too many values");
    const first = this.text[this.at];
    if (first === "{") return this.object(depth + 1);
    if (first === "[") return this.array(depth + 1);
    if (first === '"') return this.string();
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  object(depth) {
    this.deepen(depth);
    const members = new Map();
    this.items("}", () => {
      this.space();
      if (this.text[this.at] !== '"') this.refuse("a member without a name");
      const name = this.string();
      this.space();
      this.expect(":");
      if (members.has(name)) this.refuse("a member named twice");
      this.members += 1;
      if (this.members > this.limits.maxJsonMembers) this.refuse("too many members");
      members.set(name, this.value(depth));
    });
    const object = {};
    for (const [name, value] of members) {
      Object.defineProperty(object, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return object;
  }

  array(depth) {
    this.deepen(depth);
    const values = [];
    this.items("]", () => values.push(this.value(depth)));
    return values;
  }

  items(close, item) {
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      item();
      this.space();
      if (this.text[this.at] !== ",") break;
      this.at += 1;
    }
    this.expect(close);
  }

  string() {
    let result = "";
    this.at += 1;
    for (;;) {
      const character = this.text[this.at];
      this.at += 1;
      if (character === undefined || character < " ") this.refuse("a broken string");
      if (character === '"') break;
      result += character === "\\" ? this.escape() : character;
    }
    if (LONE_SURROGATE.test(result)) this.refuse("a lone surrogate");
    return result;
  }

  escape() {
    const letter = this.text[this.at];
    this.at += 1;
    if (letter === "u") {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[\dA-Fa-f]{4}$/.test(digits)) this.refuse("a broken escape");
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (letter === undefined || !Object.hasOwn(ESCAPES, letter)) this.refuse("an unknown escape");
    return ESCAPES[letter];
  }

  number() {
    NUMBER.lastIndex = this.at;
    const literal = NUMBER.exec(this.text)?.[0];
    if (literal === undefined) this.refuse("not a value");
    this.at += literal.length;
    const value = Number(literal);
    if (!Number.isFinite(value)) this.refuse("a number too large");
    return value;
  }

  deepen(depth) {
    if (depth > this.limits.maxJsonDepth) this.refuse("too deep");
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  expect(character) {
    if (this.text[this.at] !== character) this.refuse(`no ${character}`);
    this.at += 1;
  }

  refuse(reason) {
    throw new Refusal(reason);
  }
}
