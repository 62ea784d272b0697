/** The list of all operations by topic, which the reference page shows before it has the document. */
import type { OpenApiInfo } from "./openapi-info.ts";
import { detailOf, operationIdOfRoute } from "./openapi-operation.ts";
import { templateOf } from "./path-template.ts";
import type { Route } from "./route.ts";

export interface Topic {
  name: string;
  description: string;
  operations: ListedOperation[];
}

export interface ListedOperation {
  id: string;
  /** `EVENT` for a webhook. */
  method: string;
  /** A path template, or the type of an event. */
  path: string;
  summary: string;
}

/** Returns the topics in the order of their tags. Makes no schemas: the document takes a second, this a millisecond. */
export function topicsOf(
  routes: readonly Route[],
  { tags = {}, webhooks = {} }: Pick<OpenApiInfo, "tags" | "webhooks">,
): Topic[] {
  const byTag = new Map<string, ListedOperation[]>();
  const list = (tag: string, operation: ListedOperation) => byTag.set(tag, [...(byTag.get(tag) ?? []), operation]);
  for (const route of routes) {
    const { hide, summary = "", tags: [tag = ""] = [] } = detailOf(route);
    const { method } = route;
    if (!hide) list(tag, { id: operationIdOfRoute(route), method, path: templateOf(route.path), summary });
  }
  for (const [type, { operationId: id = "", summary = "", tags: [tag = ""] = [] }] of Object.entries(webhooks))
    list(tag, { id, method: "EVENT", path: type, summary });
  return inOrder([...byTag.keys()], tags).map((name) => ({
    name,
    description: tags[name] ?? `${name}.`,
    operations: byTag.get(name) ?? [],
  }));
}

/** Sorts names of tags as their descriptions are sorted, and others by the alphabet after them. */
export function inOrder(names: readonly string[], about: Readonly<Record<string, string>>): string[] {
  const known = Object.keys(about).filter((name) => names.includes(name));
  const others = names.filter((name) => !known.includes(name)).sort((a, b) => a.localeCompare(b, "en"));
  return [...known, ...new Set(others)];
}
