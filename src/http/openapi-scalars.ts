/** Makes components of the scalars that hundreds of fields have: ids, instants, dates and addresses. */
import { z } from "zod";
import { canonicalJson } from "../core/canonical-json.ts";
import { isNode, type Node } from "../core/example-of.ts";
import type { Steps } from "../core/steps.ts";
import { dateField, email, idOf, instantOut } from "./fields.ts";

const scalars: Readonly<Record<string, z.ZodType>> = {
  Uuid: idOf(),
  Instant: instantOut,
  LegalDate: dateField,
  EmailAddress: email,
};

interface Described {
  components?: { schemas?: object | undefined; parameters?: object | undefined } | undefined;
  paths?: object | undefined;
  webhooks?: object | undefined;
}

/** Replaces scalars in all schemas, those of parameters too. Descriptions stay in place. */
export function* nameScalars({ components, paths, webhooks }: Described): Steps<void> {
  if (!components?.schemas) return;
  const names = new Map<string, string>();
  const named: Node = {};
  for (const [name, scalar] of Object.entries(scalars)) {
    const { $schema: _, ...schema } = z.toJSONSchema(scalar, { io: "input" });
    names.set(canonicalJson(schema), name);
    named[name] = schema;
  }
  const used = new Set<string>();
  for (const root of [components.schemas, components.parameters, paths, webhooks])
    for (const entry of Object.entries(Object(root))) {
      for (const name of replaced(root, entry, names)) used.add(name);
      yield;
    }
  for (const name of used) Object.assign(components.schemas, { [name]: named[name] });
}

/** Replaces a child of a node, or those below it. @returns the names of those that it replaces */
function replaced(parent: unknown, [key, node]: [string, unknown], names: ReadonlyMap<string, string>): string[] {
  if (key === "example" || key === "examples" || typeof node !== "object") return [];
  const { description, ...schema }: Node = isNode(node) ? node : {};
  const name = schema.type === "string" ? names.get(canonicalJson(schema)) : undefined;
  if (name === undefined) return Object.entries(Object(node)).flatMap((entry) => replaced(node, entry, names));
  const reference = { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  Object.assign(Object(parent), { [key]: reference });
  return [name];
}
