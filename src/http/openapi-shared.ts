/**
 * Makes components of what several operations have: parameters and responses. Written out at each operation, the same refusals
 * were two thirds of the document.
 */
import { isNode, type Node, nodes } from "../core/example-of.ts";
import type { Steps } from "../core/steps.ts";
import { operationsOf } from "./openapi-examples.ts";

interface Described {
  components?: object | undefined;
  paths?: object | undefined;
}

/** A part of the document, its name as a component, and how a reference takes its place. */
interface Part {
  value: unknown;
  name: string;
  refer(reference: { $ref: string }): void;
}

/** Replaces parts that are equal by references to one component. */
export function* shareParts(document: Described): Steps<void> {
  const operations = operationsOf(document.paths);
  yield* share(document, "parameters", operations.flatMap(parametersOf));
  yield* share(document, "responses", operations.flatMap(responsesOf));
}

const children = (node: unknown): Node[] => Object.values(isNode(node) ? node : {}).filter(isNode);

function* share(document: Described, kind: "parameters" | "responses", parts: readonly Part[]): Steps<void> {
  const byText = new Map<string, Part[]>();
  for (const part of parts) {
    const text = JSON.stringify(part.value);
    const equal = byText.get(text);
    if (equal) equal.push(part);
    else byText.set(text, [part]);
    yield;
  }
  const components = { ...componentsOf(document, kind) };
  for (const equal of byText.values()) {
    yield;
    const [first] = equal;
    if (first === undefined || equal.length === 1) continue;
    const name = freeName(first.name, components);
    components[name] = first.value;
    for (const { refer } of equal) refer({ $ref: `#/components/${kind}/${name}` });
  }
  document.components = { ...document.components, [kind]: components };
}

function componentsOf({ components }: Described, kind: string): Node {
  const all: Node = { ...components };
  return isNode(all[kind]) ? all[kind] : {};
}

/** Returns the name, or the name with the first number from 2 on that is not taken. */
function freeName(name: string, taken: Node): string {
  let free = name;
  for (let number = 2; free in taken; number++) free = `${name}${number}`;
  return free;
}

/** Not those with a list of values, since generators name its type, after the operation. */
function parametersOf({ parameters }: Node): Part[] {
  if (!Array.isArray(parameters)) return [];
  return nodes(parameters).flatMap((value, index) => {
    if (isNode(value.schema) && "enum" in value.schema) return [];
    const refer: Part["refer"] = (reference) => parameters.splice(index, 1, reference);
    return [{ value, name: pascal(String(value.name)), refer }];
  });
}

/** Not the successes: generators name their types after the operation. */
function responsesOf({ responses }: Node): Part[] {
  if (!isNode(responses)) return [];
  return Object.entries(responses).flatMap(([status, value]) => {
    if (Number(status) < 300 || !isNode(value)) return [];
    const refer: Part["refer"] = (reference) => Object.assign(responses, { [status]: reference });
    return [{ value, name: responseName(Number(status), value), refer }];
  });
}

const phrases: Readonly<Record<number, string>> = {
  303: "SeeOther",
  304: "Unchanged",
  400: "Invalid",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "KeyReused",
  429: "RateLimited",
  500: "ServerError",
  502: "BadGateway",
  503: "Unavailable",
};

/** The longest name that lists reasons. */
const LONGEST = 48;

/**
 * `NotFound`; `PermissionMissing`, by its reasons; `InvalidRegistration`, by the field of its example. With `Uncounted` if no
 * headers say how much of a rate limit is left.
 */
function responseName(status: number, { description, headers, content }: Node): string {
  const phrase = phrases[status] ?? `Status${status}`;
  const [media] = children(content);
  const reasons = reasonsIn(description).map(pascal).join("");
  const name = status === 400 ? phrase + faultsIn(media).map(pascal).join("") : reasons || phrase;
  const counts = (isNode(headers) && "RateLimit" in headers) || status === 401;
  return (name.length <= LONGEST ? name : phrase) + (counts ? "" : "Uncounted");
}

const reasonsIn = (description: unknown) =>
  [...String(description).matchAll(/^- `([a-z_]+)`/gm)].map(([, reason = ""]) => reason);

/** Returns the fields in the example of a 400. */
const faultsIn = (media: Node | undefined) =>
  isNode(media?.example) ? nodes(media.example.issues).map(({ path }) => String(path).replace(/^\w+\./, "")) : [];

const pascal = (words: string) =>
  words
    .split(/\W|_/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
