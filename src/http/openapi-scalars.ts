/** Makes components of the scalars that hundreds of fields have: ids, instants, dates and addresses. */
import { z } from "zod";
import { canonicalJson } from "../core/canonical-json.ts";
import { isNode, type Node } from "../core/example-of.ts";
import { dateField, email, idOf, instantOut } from "./fields.ts";

const scalars: Readonly<Record<string, z.ZodType>> = {
  Uuid: idOf(),
  Instant: instantOut,
  LegalDate: dateField,
  EmailAddress: email,
};

interface Described {
  components?: { schemas?: object | undefined } | undefined;
  paths?: object | undefined;
  webhooks?: object | undefined;
}

/** Replaces scalars in all schemas but those of parameters, which are components themselves. Descriptions stay in place. */
export function nameScalars({ components, paths, webhooks }: Described): void {
  if (!components?.schemas) return;
  const names = new Map<string, string>();
  const named: Node = {};
  for (const [name, scalar] of Object.entries(scalars)) {
    const { $schema: _, ...schema } = z.toJSONSchema(scalar, { io: "input" });
    names.set(canonicalJson(schema), name);
    named[name] = schema;
  }
  const used = new Set([components.schemas, paths, webhooks].flatMap((root) => replaceIn(root, names)));
  for (const name of used) Object.assign(components.schemas, { [name]: named[name] });
}

/** @returns the names of those that it replaces */
function replaceIn(parent: unknown, names: ReadonlyMap<string, string>): string[] {
  return Object.entries(Object(parent)).flatMap(([key, node]) => {
    if (key === "parameters" || key === "example" || key === "examples" || typeof node !== "object") return [];
    const { description, ...schema }: Node = isNode(node) ? node : {};
    const name = schema.type === "string" ? names.get(canonicalJson(schema)) : undefined;
    if (name === undefined) return replaceIn(node, names);
    const reference = { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
    Object.assign(Object(parent), { [key]: reference });
    return [name];
  });
}
