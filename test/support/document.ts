/** Reads an OpenAPI document: its operations, their input, and the schemas behind references. */
import type { App } from "../../src/app.ts";
import { isReason, type Reason } from "../../src/core/reasons.ts";
import { openApiDocument } from "../../src/http/openapi.ts";

/** The parts of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
  examples?: unknown[];
}

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface DocumentedResponse {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, DocumentedResponse>;
}

export interface ApiDocument {
  info: { version: string; contact?: { name: string; url: string } };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns the document of a running application, `inlined`. */
export const documentOf = (app: Pick<App, "routes">): ApiDocument =>
  inlined(JSON.parse(JSON.stringify(openApiDocument(app.routes))));

const known = new Map<string, ApiDocument>();

/** Returns the document, `inlined`, that was made for an application with the same routes: making one takes seconds. */
export function sharedDocumentOf(app: Pick<App, "routes">): ApiDocument {
  const key = app.routes.map(({ method, path }) => `${method} ${path}`).join("\n");
  const document = known.get(key) ?? documentOf(app);
  known.set(key, document);
  return document;
}

type Ref = { $ref: string };
type Shared = Partial<Record<string, unknown>>;

/** A document as it is served: operations refer to parameters and responses that others have too. */
interface Referring {
  paths?: object;
  webhooks?: object;
  components?: object;
  security?: Operation["security"];
}

/** Returns the document with the parameters, their schemas, the responses and the security of each operation in place. */
export function inlined<Document extends Referring>(document: Document): Document {
  const find = (node: unknown): unknown => {
    if (!isRef(node)) return node;
    const [kind = "", name = ""] = node.$ref.split("/").slice(2);
    const found = (document.components as Record<string, Shared> | undefined)?.[kind]?.[name];
    if (found === undefined) throw new Error(`The document has no ${node.$ref}.`);
    return found;
  };
  const withSchema = (node: unknown) => {
    const parameter = Object(find(node));
    return { ...parameter, schema: find(parameter.schema) };
  };
  const whole = ({ parameters, responses, ...operation }: Operation) => ({
    ...(document.security && { security: document.security }),
    ...operation,
    ...(parameters && { parameters: parameters.map(withSchema) }),
    responses: mapValues(responses, find),
  });
  const items = (paths: object = {}) => mapValues(paths, (item: object) => mapValues(item, whole));
  return {
    ...document,
    paths: items(document.paths),
    ...(document.webhooks && { webhooks: items(document.webhooks) }),
  };
}

const isRef = (node: unknown): node is Ref => typeof node === "object" && node !== null && "$ref" in node;

const mapValues = <Value>(object: object, change: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Returns every operation as `[POST /orgs/{orgId}/flights, operation]`. */
export const operationsOf = (document: ApiDocument): [route: string, Operation][] =>
  Object.entries(inlined(document).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/** Returns the body of an operation that takes CSV. */
export const csvOf = (operation: Operation): Media | undefined => operation.requestBody?.content["text/csv"];

/** Returns the body of an operation that takes a file. */
export const fileOf = (operation: Operation): Media | undefined => operation.requestBody?.content["application/pdf"];

export const bodyOf = (operation: Operation): Media | undefined => operation.requestBody?.content["application/json"];

/** Returns the reasons that an operation declares for a status. */
export const reasonsOf = ({ responses }: Operation, status: number): readonly Reason[] =>
  (responses[status]?.content?.["application/json"]?.schema.allOf ?? []).flatMap(
    ({ properties }) => properties?.error?.properties?.reason?.enum?.filter(isReason) ?? [],
  );

/** Returns the schema behind a reference, and without `null`. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const found = document.components.schemas[name];
    if (!found) throw new Error(`The document has no ${schema.$ref}.`);
    return resolve(document, found);
  }
  const options = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  if (schema.anyOf && options.length === 1 && options[0]) return resolve(document, options[0]);
  return schema;
}

/** Returns whether `null` is allowed. */
export const takesNull = (schema: Schema): boolean =>
  schema.type === "null" ||
  (Array.isArray(schema.type) && schema.type.includes("null")) ||
  (schema.anyOf ?? []).some(takesNull);
