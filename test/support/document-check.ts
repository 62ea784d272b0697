/** Checks responses against the OpenAPI document: the server must not respond with anything that is not declared. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { inlined } from "./document.ts";

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const child = (node: unknown, key: string): unknown => (isNode(node) ? node[key] : undefined);
const pointer = (...keys: string[]) =>
  keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Validators of a document's schemas, by JSON pointer; each is compiled once. */
export function schemaValidators(document: object) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  return (at: string): ValidateFunction => {
    // Schemas that only refer to a component are compiled once, as that component: most responses share a few.
    const found = at
      .split("/")
      .slice(1)
      .reduce<unknown>((node, key) => child(node, key.replaceAll("~1", "/").replaceAll("~0", "~")), document);
    const ref = child(found, "$ref");
    const named = typeof ref === "string" && ref.startsWith("#/components/") ? ref.slice(1) : at;
    const validator = compiled.get(named) ?? ajv.compile({ $ref: `document#${encodeURI(named)}` });
    compiled.set(named, validator);
    return validator;
  };
}

/**
 * @returns a function that checks that a response is declared: path and method, status, headers, media type and, for JSON,
 * the body. It reads the body from a clone, so that the response stays readable, unless the caller has read it.
 */
export function documentCheck(served: { paths?: object }) {
  const document = inlined(served);
  const validator = schemaValidators(closed(document));
  const paths = document.paths ?? {};
  const templates = Object.keys(paths)
    .sort(literalFirst)
    .map((template) => ({ template, parts: template.split("/") }));
  // Every request of the tests comes by here.
  const ofLength = Map.groupBy(templates, ({ parts }) => parts.length);
  /** Returns whether a header is optional. */
  const isOptional = (header: unknown): boolean => {
    const name = String(child(header, "$ref")).split("/").at(-1) ?? "";
    return child(child(child(child(document, "components"), "headers"), name), "required") === false;
  };

  return async (method: string, url: string, response: Response, read?: string): Promise<void> => {
    const { pathname } = new URL(url, "http://localhost");
    const where = `${method} ${pathname} -> ${response.status}`;
    const fail = (reason: string): never => {
      throw new Error(`${where}: ${reason}`);
    };
    const body = async () => read ?? (await response.clone().text());
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const given = pathname.replace(/(.)\/$/, "$1").split("/");
    const matching = (ofLength.get(given.length) ?? []).filter(({ parts }) => matches(parts, given));
    const template = matching.find((one) => child(child(paths, one.template), verb))?.template;
    if (template === undefined) {
      // An undeclared operation may only be refused.
      if (response.status !== (matching.length > 0 ? 405 : 404)) fail("is not in the document");
      return checkBody(validator("/components/schemas/Error"), await body(), fail);
    }

    const declared = child(child(child(child(paths, template), verb), "responses"), String(response.status));
    if (!isNode(declared)) return fail("the status is not declared");
    if (response.status < 500)
      for (const [name, header] of Object.entries(child(declared, "headers") ?? {}))
        if (!response.headers.has(name) && !isOptional(header)) fail(`lacks the header ${name}`);
    const types = Object.keys(child(declared, "content") ?? {});
    const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const text = method === "HEAD" ? "" : await body();
    if (types.length === 0 && text !== "") fail("has a body, and none is declared");
    if (types.length > 0 && !types.includes(type)) fail(`is ${type || "of no type"}, declared is ${types.join(", ")}`);
    if (type !== "application/json" || method === "HEAD") return;
    const at = pointer("paths", template, verb, "responses", String(response.status), "content", type, "schema");
    checkBody(validator(at), text, fail);
  };
}

/**
 * Returns the document with objects that have only their declared fields. For clients the objects of responses are open,
 * since a later version may add fields; this version has none that it does not declare.
 */
function closed<Value>(node: Value): Value;
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isNode(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen = node.type === "object" && isNode(node.properties) && !("additionalProperties" in node);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

function checkBody(validate: ValidateFunction, text: string, fail: (reason: string) => never): void {
  if (validate(JSON.parse(text))) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
  fail(`the body breaks its schema: ${faults.join("; ")}`);
}

/** Prefers literal paths: `/invites/claim` also matches `/invites/{token}`. */
const literalFirst = (a: string, b: string) =>
  a.replaceAll("{", "\u{10ffff}") < b.replaceAll("{", "\u{10ffff}") ? -1 : 1;

/** Of two paths with as many parts. */
const matches = (template: readonly string[], given: readonly string[]): boolean =>
  template.every((part, at) => part.startsWith("{") || part === given[at]);
