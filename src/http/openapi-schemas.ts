/** Changes to the schemas that zod-openapi derives, for clients that are generated from the document. */
import type { Steps } from "../core/steps.ts";

type Node = { [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const childrenOf = (value: unknown): Node[] => (isNode(value) ? Object.values(value).filter(isNode) : []);

interface Described {
  components?: { schemas?: object | undefined; parameters?: object | undefined } | undefined;
  paths?: object | undefined;
  webhooks?: object | undefined;
}

/**
 * Leaves out of responses and webhooks what only restricts input, but not out of schemas that a request has too:
 * `additionalProperties: false`, since a later version may add fields, which a generated validator would reject; and the bounds
 * of JavaScript's integers, which zod gives to each.
 */
export function* openResponses({ components, paths, webhooks }: Described): Steps<void> {
  const operations = childrenOf(paths).flatMap(childrenOf);
  const schemas: Node = { ...components?.schemas };
  const requested = yield* reach(
    [...operations.map(({ requestBody, parameters }) => ({ requestBody, parameters }))],
    schemas,
  );
  const responded = yield* reach([...operations.map(({ responses }) => ({ responses })), { webhooks }], schemas);
  for (const [at, node] of [...responded].entries()) {
    if (at % STEP === 0) yield;
    if (!requested.has(node))
      for (const [key, value] of inputOnly) if (node[key] === value) Reflect.deleteProperty(node, key);
  }
}

const inputOnly = [
  ["additionalProperties", false],
  ["minimum", Number.MIN_SAFE_INTEGER],
  ["maximum", Number.MAX_SAFE_INTEGER],
] as const;

/**
 * Says the default of a field in its description: generators take a field with a `default` for one that is always there, and
 * would require it in requests. Null goes without saying. Parameters keep theirs.
 */
export function* describeDefaults({ components, paths, webhooks }: Described): Steps<void> {
  const bodies = childrenOf(paths)
    .flatMap(childrenOf)
    .map(({ requestBody, responses }) => ({ requestBody, responses }));
  for (const { type, properties } of yield* reach([{ ...components?.schemas }, ...bodies, { webhooks }], {}))
    for (const field of type === "object" ? childrenOf(properties) : []) {
      if (!("default" in field)) continue;
      const { default: value, description } = field;
      Reflect.deleteProperty(field, "default");
      if (value === null) continue;
      const said = `By default \`${JSON.stringify(value)}\`.`;
      field.description = typeof description === "string" ? `${description} ${said}` : said;
    }
}

/** Says what a parameter is once: zod-openapi repeats its description in the schema. */
export function describeParametersOnce({ components, paths }: Described): void {
  const operations = childrenOf(paths).flatMap(childrenOf);
  const parameters = [...operations, { parameters: components?.parameters }].flatMap((one) =>
    childrenOf(one.parameters),
  );
  for (const { description, schema } of parameters)
    if (isNode(schema) && schema.description === description) Reflect.deleteProperty(schema, "description");
}

/** How many nodes are one step. */
const STEP = 1000;

/** Returns the nodes below these, and those of the components that they refer to. */
export function* reach(from: Node[], schemas: Node): Steps<Set<Node>> {
  const found = new Set<Node>();
  const open = [...from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    if (found.size % STEP === 0) yield;
    open.push(...childrenOf(node));
    const name = typeof node.$ref === "string" ? node.$ref.replace("#/components/schemas/", "") : undefined;
    const referred = name === undefined ? undefined : schemas[name];
    if (isNode(referred)) open.push(referred);
  }
  return found;
}

/** Gives each member of an `allOf` the type that the whole has: generators read a member without a type as any value. */
export function* typeMembers(document: Described): Steps<void> {
  for (const { type, allOf } of yield* reach([{ ...document }], {}))
    if (typeof type === "string" && Array.isArray(allOf))
      for (const member of allOf) if (isNode(member) && !("type" in member) && !("$ref" in member)) member.type = type;
}
