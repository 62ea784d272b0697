/** One way to say one thing, over all operations and components of the document. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type ApiDocument,
  bodyOf,
  type DocumentedResponse,
  type Operation,
  operationsOf,
  resolve,
  type Schema,
} from "../support/document.ts";
import { type Installation, newInstallation } from "../support/installation.ts";

let installation: Installation;
let document: ApiDocument;
let operations: [string, Operation][];
beforeAll(async () => {
  installation = await newInstallation();
  document = (await installation.call("GET", "/openapi.json")).body;
  operations = operationsOf(document);
});
afterAll(() => installation.close());

const has = (name: string) => operations.some(([one]) => one === name);
const parentOf = (path: string) => path.replace(/\/[^/]*$/, "");

/** Returns the schema of a successful JSON body. */
function successOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const media = success?.content?.["application/json"];
  return media && resolve(document, media.schema);
}

const dataOf = (operation: Operation): Schema | undefined => successOf(operation)?.properties?.data;

test("a resource that is listed, and changed or deleted by its id, is read by its id", () => {
  const unread = operations.flatMap(([name]) => {
    const [method = "", path = ""] = name.split(" ");
    if (!["PATCH", "DELETE"].includes(method) || !path.endsWith("}") || !has(`GET ${parentOf(path)}`)) return [];
    return has(`GET ${path}`) ? [] : [name];
  });
  expect(unread).toEqual([]);
});

test("an operation that adds answers 201, or 202 if that takes a while", () => {
  const others = operations.flatMap(([name, { operationId = "", responses }]) => {
    const [method, path = ""] = name.split(" ");
    if (method !== "POST" || !(has(`GET ${path}`) || operationId.startsWith("add"))) return [];
    return "201" in responses || "202" in responses ? [] : [name];
  });
  expect(others).toEqual([]);
});

/** The session has the form of the request before it: of the refreshed session, of the sign-in. */
const continued = ["POST /auth/refresh", "POST /auth/mfa/verify"];

test("a POST that opens a session sets the refresh token as a cookie if requested", () => {
  const opening = operations.filter(
    ([name, { responses }]) =>
      name.startsWith("POST ") && !continued.includes(name) && opensSession(responses["200"] ?? responses["201"]),
  );
  const taking = opening.filter(([, operation]) => {
    const body = bodyOf(operation);
    return body && resolve(document, body.schema).properties?.cookie;
  });
  expect(opening.length).toBeGreaterThan(5);
  expect(taking).toEqual(opening);
});

function opensSession(success: DocumentedResponse | undefined): boolean {
  const finds = (declared: Schema): boolean => {
    const schema = resolve(document, declared);
    const { data, tokens, access_token } = schema.properties ?? {};
    const inner = [data, tokens, ...(schema.anyOf ?? [])].filter((one) => one !== undefined);
    return access_token !== undefined || inner.some(finds);
  };
  const media = success?.content?.["application/json"];
  return media !== undefined && finds(media.schema);
}

/** Lists that stay short: settings, the best matches, catalogs, what a time limits, and summaries that the contract has without pages. */
const short = [
  "GET /api/v1/public/compliance",
  "GET /api/v1/public/finance-summaries",
  "GET /api/v1/public/fleet",
  "GET /api/v1/public/maintenance/due",
  "GET /api/v1/public/training-progress",
  "GET /auth/identities",
  "GET /debug/schedulers",
  "GET /debug/unusable-tenants",
  "GET /installation/jobs",
  "GET /orgs/{orgId}/clearance/rules",
  "GET /orgs/{orgId}/finance/summaries",
  "GET /orgs/{orgId}/integrations/event-catalog",
  "GET /orgs/{orgId}/integrations/scopes",
  "GET /orgs/{orgId}/maintenance/templates",
  "GET /orgs/{orgId}/planning/busy",
  "GET /orgs/{orgId}/planning/free-slots",
  "GET /orgs/{orgId}/planning/sessions/{sessionId}/checks",
  "GET /orgs/{orgId}/search",
  "GET /orgs/{orgId}/signing-keys",
  "GET /orgs/{orgId}/training/templates",
  "GET /public/orgs/{orgId}/keys",
];

test("a list has pages, if it grows", () => {
  const unpaged = operations.filter(
    ([name, operation]) =>
      name.startsWith("GET ") &&
      dataOf(operation)?.type === "array" &&
      successOf(operation)?.properties?.page === undefined,
  );
  expect(unpaged.map(([name]) => name).sort()).toEqual(short);
});

/** Words with two meanings: how many there are, or whether it is so; the number of a document, or of an attempt; what remains of a quantity, or how many; of a listing, or of a stream. */
const ambiguous = ["done", "number", "open", "remaining", "revision"];

const scalars = ["string", "integer", "number", "boolean"];

/** The types of a schema that has no parts, without null. A word may also name an object, or a list. */
function scalarsOf(declared: Schema): string[] {
  const schema = resolve(document, declared);
  return [schema.type ?? [], ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(scalarsOf)]
    .flat(2)
    .filter((type) => scalars.includes(type));
}

test("a field of one name has one type in all components", () => {
  const found = new Map<string, Map<string, string>>();
  const walk = (schema: Schema, where: string): void => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const types = found.get(name) ?? new Map<string, string>();
      for (const type of scalarsOf(inner)) types.set(type, `${where}.${name}`);
      found.set(name, types);
      walk(inner, `${where}.${name}`);
    }
    for (const inner of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(inner, where);
    if (schema.items) walk(schema.items, where);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
  const several = [...found].filter(([name, types]) => types.size > 1 && !ambiguous.includes(name));
  expect(several.map(([, types]) => Object.fromEntries(types))).toEqual([]);
});
