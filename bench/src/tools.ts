/** A field of a tool's arguments, from which both JSON Schema and zod are made. */
type Field = { readonly description: string; readonly optional?: true } & (
  | { readonly type: "string"; readonly max: number }
  | { readonly type: "number" }
  | { readonly type: "boolean" }
  | { readonly type: "enum"; readonly values: readonly string[] }
  | { readonly type: "array"; readonly items: Field }
);
export type Fields = Readonly<Record<string, Field>>;

/** One tool, as every peer has to serve it. */
export interface ToolSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: Fields;
  readonly run: (args: Readonly<Record<string, unknown>>) => string;
}

const text = (description: string): Field => ({ type: "string", description, max: 4096 });
const optional = (field: Field): Field => ({ ...field, optional: true });
const list = (description: string, items: Field): Field => ({ type: "array", description, items });
const choice = (description: string, ...values: readonly string[]): Field => {
  return { type: "enum", description, values };
};

/** Shapes after what servers really publish: three to six fields, a sentence or two each. */
const SHAPES: readonly (readonly [name: string, description: string, fields: Fields])[] = [
  [
    "issue_create",
    "Create an issue in a repository, with labels and assignees. Returns its number and its URL.",
    {
      owner: text("Account that owns the repository"),
      repository: text("Repository name, without the owner"),
      title: text("Title of the issue"),
      body: optional(text("Body of the issue, in Markdown")),
      labels: optional(list("Labels to set", text("Name of a label"))),
      assignees: optional(list("Who is to look at it", text("Login of an account"))),
    },
  ],
  [
    "message_search",
    "Search the mailbox for messages that match a query, newest first, a page at a time.",
    {
      query: text("Search expression, for example from:ann subject:invoice"),
      folder: optional(choice("Folder to search", "inbox", "sent", "drafts", "archive")),
      limit: optional({ type: "number", description: "Number of results" }),
      cursor: optional(text("Cursor of the next page")),
    },
  ],
  [
    "release_deploy",
    "Roll a release out to an environment. The rollout stops when its error budget is spent.",
    {
      service: text("Name of the service"),
      version: text("Version to deploy"),
      environment: choice("Where to deploy", "development", "staging", "production"),
      dryRun: optional({ type: "boolean", description: "Only say what would be done" }),
      notify: optional(list("Channels to notify", text("Name of a channel"))),
    },
  ],
];

const ADD: ToolSpec = {
  name: "add",
  title: "Add",
  description: "Add two numbers",
  fields: {
    a: { type: "number", description: "First summand" },
    b: { type: "number", description: "Second summand" },
  },
  run: ({ a, b }) => String(Number(a) + Number(b)),
};

/** `count` tools, of which `add` is the last. */
export function toolSpecs(count: number): readonly ToolSpec[] {
  const others = Array.from({ length: count - 1 }, (_unused, index): ToolSpec => {
    const [name, description, fields] = SHAPES[index % SHAPES.length] ?? ["", "", {}];
    const numbered = `${name}_${index}`;
    return { name: numbered, title: name, description, fields, run: () => `ran ${numbered}` };
  });
  return [...others, ADD];
}

/** The arguments as JSON Schema, for peers that list what they are given. */
export function jsonSchemaOf(fields: Fields): object {
  const names = Object.keys(fields);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, fieldSchema(fields[name])])),
    required: names.filter((name) => fields[name]?.optional !== true),
  };
}

function fieldSchema(field: Field | undefined): object {
  if (field === undefined) return {};
  const { description, type } = field;
  if (type === "enum") return { description, type: "string", enum: field.values };
  if (type === "array") return { description, type, items: fieldSchema(field.items) };
  if (type === "string") return { description, type, maxLength: field.max };
  return { description, type };
}
