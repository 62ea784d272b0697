/**
 * Builds an example for every request body and response from the examples of the fields. Examples written by hand would
 * become wrong when a schema changes.
 */
import { isReason, reasons } from "../core/reasons.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: unknown };

const isObject = (value: Json | undefined): value is { [key: string]: Json } => isNode(value);
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** Adds `example` to every JSON body and response without one; `examples` where a schema has alternatives. */
export function addExamples(document: { components?: unknown; paths?: unknown }): void {
  const find = (ref: string): Node =>
    ref
      .split("/")
      .slice(1)
      .reduce<Node>((at, key) => (isNode(at[key]) ? at[key] : {}), { ...document });
  for (const operation of operationsOf(document.paths)) {
    if (isNode(operation.requestBody)) exemplify(operation.requestBody.content, find);
    for (const [status, response] of Object.entries(isNode(operation.responses) ? operation.responses : {}))
      if (isNode(response)) {
        exemplify(response.content, find, Number(status));
        if (status === "400") nameField(response.content, firstInput(operation, find));
      }
  }
}

const operationsOf = (paths: unknown) =>
  Object.values(isNode(paths) ? paths : {}).flatMap((item) => Object.values(isNode(item) ? item : {}).filter(isNode));

/** The code and message of an error without a reason. */
const codes: Record<number, [code: string, message: string]> = {
  400: ["VALIDATION_ERROR", "The request is not valid."],
  401: ["UNAUTHORIZED", "Missing or invalid credentials."],
  404: ["NOT_FOUND", "There is no such resource."],
  413: ["PAYLOAD_TOO_LARGE", "The body is larger than 1 MiB."],
  415: ["UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON, with `Content-Type: application/json`."],
  422: ["IDEMPOTENCY_KEY_REUSED", "This `Idempotency-Key` was used with another body. Send a new key."],
  429: ["RATE_LIMITED", "Too many requests. Wait for the time in `Retry-After`."],
  500: ["SERVER_ERROR", "An internal error occurred."],
  502: ["BAD_GATEWAY", "The provider does not answer as it should. Try again later."],
  503: ["TENANT_UNAVAILABLE", "These records can't be opened at the moment."],
};

function exemplify(content: unknown, find: (ref: string) => Node, status?: number): void {
  for (const media of Object.values(isNode(content) ? content : {})) {
    if (!isNode(media) || !isNode(media.schema) || "example" in media || "examples" in media) continue;
    const forms = namedForms(media.schema);
    if (forms.length > 1) {
      media.examples = Object.fromEntries(
        forms.map(([name, ref]) => [name, { value: exampleOf({ $ref: ref }, find) ?? null }]),
      );
      continue;
    }
    const example = exampleOf(media.schema, find);
    if (isNode(example) && isNode(example.error)) Object.assign(example.error, refusalOf(status, example.error.reason));
    if (example !== undefined) media.example = example;
  }
}

/** Returns the code and message of a reason or, without one, of a status. */
function refusalOf(status: number | undefined, reason: unknown): { code?: string; message?: string } {
  if (isReason(reason)) return { code: reasons[reason].code, message: reasons[reason].means };
  const [code, message] = codes[status ?? 0] ?? [];
  return code === undefined || message === undefined ? {} : { code, message };
}

/** Returns the alternatives of a schema, each with its component's name. */
const namedForms = ({ anyOf }: Node): [name: string, ref: string][] =>
  nodes(anyOf).flatMap(({ $ref: ref }) =>
    typeof ref === "string" ? [[ref.split("/").at(-1) ?? "", ref] satisfies [string, string]] : [],
  );

interface Fault {
  path: string;
  code: string;
  message: string;
}

/** Returns an example of a fault in the first field of the body or, without a body, of the query. */
function firstInput({ requestBody, parameters }: Node, find: (ref: string) => Node): Fault | undefined {
  const [media] = Object.values(isNode(requestBody) && isNode(requestBody.content) ? requestBody.content : {});
  const declared = isNode(media) && isNode(media.schema) ? media.schema : {};
  const schema = typeof declared.$ref === "string" ? find(declared.$ref) : declared;
  const [name] = Object.keys(isNode(schema.properties) ? schema.properties : {});
  if (name !== undefined) {
    const isRequired = Array.isArray(schema.required) && schema.required.includes(name);
    return { path: `body.${name}`, code: "invalid_type", message: isRequired ? "Is missing." : "Is not valid." };
  }
  const query = nodes(parameters).find((parameter) => parameter.in === "query");
  return query && { path: `query.${String(query.name)}`, code: "invalid_format", message: "Invalid format." };
}

/** Sets the fault in the example of a 400. Without a fault, removes `issues`. */
function nameField(content: unknown, fault: Fault | undefined): void {
  for (const media of Object.values(isNode(content) ? content : {})) {
    if (!isNode(media) || !isNode(media.example) || !("issues" in media.example)) continue;
    if (fault) media.example.issues = [{ ...fault }];
    else {
      Reflect.deleteProperty(media.example, "issues");
      if (isNode(media.example.error)) media.example.error.code = "BAD_REQUEST";
    }
  }
}

/** Returns a value that the schema accepts, made from its examples, constants and formats. */
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
  const of = [...nodes(prefixItems), ...(isNode(items) ? [items] : [])];
  return of.flatMap((item) => inner(item) ?? []);
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
