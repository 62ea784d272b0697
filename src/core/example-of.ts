/** Examples made from JSON Schemas: of request bodies, responses and events. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Node = { [key: string]: unknown };

const isObject = (value: Json | undefined): value is { [key: string]: Json } => isNode(value);
export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** Returns the node of a document that `#/a/b` refers to. */
export const nodeAt = (document: Node, ref: string): Node =>
  ref
    .split("/")
    .slice(1)
    .reduce<Node>((at, key) => (isNode(at[key]) ? at[key] : {}), document);

/**
 * Returns a value that a JSON Schema accepts, made from its examples, constants and formats.
 *
 * @param find returns the schema of a `$ref`
 */
export function exampleOf(schema: Node, find: (ref: string) => Node, depth = 0): Json | undefined {
  if (depth > 12) return undefined;
  const inner = (node: Node) => exampleOf(node, find, depth + 1);
  if (Array.isArray(schema.examples)) return schema.examples[0];
  for (const key of ["const", "default"]) if (key in schema) return schema[key] as Json;
  if (typeof schema.$ref === "string") return inner(find(schema.$ref));
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const options = [...nodes(schema.anyOf), ...nodes(schema.oneOf)];
  if (options.length > 0) return inner(options.find(({ type }) => type !== "null") ?? { type: "null" });
  if (Array.isArray(schema.allOf)) return nodes(schema.allOf).map(inner).reduce(merged);
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  if (type === "object") return exampleObject(schema, inner);
  if (type === "array") return exampleArray(schema, inner);
  return scalars[String(type)]?.(schema) ?? null;
}

/** Merges two objects deeply. For other values, returns the second. */
function merged(first: Json | undefined, second: Json | undefined): Json | undefined {
  if (!isObject(first) || !isObject(second)) return second;
  const fields = Object.entries(second).map(([name, value]) => [name, merged(first[name], value) ?? null]);
  return { ...first, ...Object.fromEntries(fields) };
}

function exampleObject({ properties }: Node, inner: (node: Node) => Json | undefined): Json {
  const fields = Object.entries(isNode(properties) ? properties : {});
  const filled = fields.map(([name, field]): [string, Json | undefined] => [
    name,
    isNode(field) ? inner(field) : undefined,
  ]);
  return Object.fromEntries(filled.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function exampleArray({ items, prefixItems }: Node, inner: (node: Node) => Json | undefined): Json {
  const schemas = [...nodes(prefixItems), ...(isNode(items) ? [items] : [])];
  return schemas.flatMap((item) => inner(item) ?? []);
}

const formats: Record<string, string> = {
  uuid: "01890a5d-ac96-774b-bcce-b302099a8057",
  "date-time": "2025-06-14T08:30:00.000Z",
  date: "2025-06-14",
  email: "ada@example.com",
  uri: "https://example.com/",
};

const scalars: Record<string, (schema: Node) => Json> = {
  string: ({ format, minLength }) => formats[String(format)] ?? "text".padEnd(Number(minLength ?? 0), "."),
  integer: ({ minimum }) => Math.max(Number(minimum ?? 0), 0),
  number: ({ minimum }) => Math.max(Number(minimum ?? 0), 0),
  boolean: () => true,
};
