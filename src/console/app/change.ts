/**
 * Changes and actions of what two desks may have open. Each is sent with the tag of what was seen (`If-Match`). If somebody else was
 * faster, the resource is read again and merged field by field: what only they have changed is taken over and said, and what both have
 * changed is asked (`decision`). What came in a list has no tag: it is read first.
 */
import type { Answer, Input, OperationName } from "../api/client.ts";
import type { Operations } from "../api/operations.ts";
import { Problem } from "../api/problem.ts";
import { ask } from "../ui/ask.ts";
import { toast } from "../ui/toast.tsx";
import { text } from "./language.ts";
import { lastChangers } from "./last-changers.ts";
import { isSame, merge, type Values } from "./merge.ts";
import { changedAt } from "./resource.ts";
import { client } from "./session.ts";
import { keepTag, tagOf } from "./tags.ts";

/** Paths that can be read and changed. */
type Changeable = {
  [Name in OperationName]: Name extends `PATCH ${infer Path}`
    ? `GET ${Path}` extends OperationName
      ? Path
      : never
    : never;
}[OperationName];
type Acting = Extract<OperationName, `DELETE ${string}` | `POST ${string}`>;
type PathOf<Name extends OperationName> = Input<Name>["path"];

/** A field as people read it. */
export interface FieldWords {
  label: string;
  /** A value of the field, in words. */
  shown?: (value: unknown) => string;
  /** It holds entries of their own, which two desks can add side by side. */
  isList?: boolean;
}

/** What a form was filled from, and its fields by their names in the body. */
export interface Seen {
  before: object;
  fields: Readonly<Record<string, FieldWords>>;
}

/** A change of one resource, which its form describes. */
export type Save<Body extends object> = (body: Body, seen: Seen) => Promise<void>;

export interface Merging {
  /** Makes the body of the fields, where they are not the body themselves. */
  bodyOf?: (fields: Values) => object;
  /** For a form that stays: the resource as it is now. @param chosen fields of which the other value was chosen */
  onMerged?: (now: object, chosen: readonly string[]) => void;
}

/** A field that both desks have changed. */
export interface Dispute {
  name: string;
  label: string;
  mine: string;
  theirs: string;
  /** Who has changed it, if the reader may know. */
  by: string | undefined;
}

export type Choices = Readonly<Record<string, string>>;

/** Which of two values is right: `mine` or `theirs`, by field. Without an answer the user goes back to the form. */
export const decision = ask<readonly Dispute[], Choices | undefined>();

/** The user went back to the form. Nothing was sent. */
export class Undecided extends Error {}

/** How often somebody else may be faster before it is given up. */
const most = 5;

/** Sends the fields that were changed. @throws Problem, Unreachable, Undecided */
export async function change<Path extends Changeable>(
  template: Path,
  path: PathOf<`PATCH ${Path}`>,
  mine: NonNullable<Operations[`PATCH ${Path}`]["body"]> | Values,
  { before, fields, bodyOf = (merged) => merged, onMerged }: Seen & Merging,
): Promise<void> {
  const resource = { template, path: path as Values | undefined };
  const names = Object.keys(fields);
  const lists = names.filter((name) => fields[name]?.isList);
  let seen = before as Values;
  let wanted = mine as Values;
  let tag = tagOf(before);
  const theirs = new Set<string>();
  for (let tries = 1; ; tries += 1) {
    if (tag === undefined) {
      const now = await read(resource);
      const merged = merge({ before: seen, now, mine: wanted }, names, lists);
      for (const name of merged.theirs) theirs.add(name);
      const choices = await decide(resource, merged.disputed, { wanted, now, fields });
      const isMine = (name: string) => choices[name] === "mine";
      wanted = Object.fromEntries(
        Object.entries(wanted).flatMap(([name, value]) =>
          name in merged.send ? [[name, merged.send[name]]] : isMine(name) ? [[name, value]] : [],
        ),
      );
      onMerged?.(
        now,
        merged.disputed.filter((name) => !isMine(name)),
      );
      seen = now;
      tag = tagOf(now);
    }
    if (Object.keys(wanted).length === 0) break;
    try {
      await send(`PATCH ${template}`, { path, body: bodyOf(wanted) }, tag);
      break;
    } catch (problem) {
      if (!isOutrun(problem) || tries === most) throw problem;
      tag = undefined;
    }
  }
  if (theirs.size > 0) await tell(resource, [...theirs], { now: seen, fields });
}

/**
 * Removes a resource, or does something with it, if it is still what was seen. If not, what shows it is loaded anew.
 *
 * @param name of the resource itself, or of an action right below it
 * @throws Problem, Unreachable
 */
export async function act<Name extends Acting>(name: Name, input: Input<Name>, seen: object): Promise<Answer<Name>> {
  const template = name.startsWith("DELETE ") ? name.slice(7) : name.slice(5, name.lastIndexOf("/"));
  const resource = { template, path: (input as { path?: Values }).path };
  try {
    const tag = tagOf(seen) ?? tagOf(await readUnchanged(resource, seen));
    const response = await send(name, input, tag);
    return (response.status === 204 ? undefined : await response.json()) as Answer<Name>;
  } catch (problem) {
    if (isOutrun(problem)) await changedAt(`GET ${template}` as OperationName, resource.path);
    throw problem;
  }
}

interface Resource {
  template: string;
  path: Values | undefined;
}

const send = (name: string, input: object, tag: string | undefined): Promise<Response> =>
  client.request(name as OperationName, input, tag === undefined ? {} : { "if-match": tag });

const isOutrun = (problem: unknown): boolean => problem instanceof Problem && problem.reason === "resource_changed";

async function read({ template, path }: Resource): Promise<Values> {
  const response = await send(`GET ${template}`, { path }, undefined);
  return keepTag(await response.json(), response).data;
}

/** @throws Problem it is not what was seen */
async function readUnchanged(resource: Resource, seen: object): Promise<Values> {
  const now = await read(resource);
  const isUnchanged = Object.entries(seen).every(([name, value]) => !(name in now) || isSame(now[name], value));
  if (!isUnchanged) throw new Problem(412, { error: { code: "PRECONDITION_FAILED", reason: "resource_changed" } });
  return now;
}

/** @throws Undecided */
async function decide(
  resource: Resource,
  disputed: readonly string[],
  { wanted, now, fields }: { wanted: Values; now: Values; fields: Seen["fields"] },
): Promise<Choices> {
  if (disputed.length === 0) return {};
  const by = await lastChangers(resource, disputed);
  const choices = await decision.put(
    disputed.map((name) => ({
      name,
      label: fields[name]?.label ?? name,
      mine: shownIn(fields[name], wanted[name]),
      theirs: shownIn(fields[name], now[name]),
      by: by[name],
    })),
  );
  if (choices === undefined) throw new Undecided();
  return choices;
}

/** Says what is other than it was in the form. */
async function tell(
  resource: Resource,
  names: readonly string[],
  { now, fields }: { now: Values; fields: Seen["fields"] },
) {
  const { changes: words } = text();
  const by = await lastChangers(resource, names);
  const people = [...new Set(Object.values(by))];
  const values = names.map((name) => `${fields[name]?.label ?? name}: ${shownIn(fields[name], now[name])}`);
  toast(words.takenOver(people.join(", ") || words.somebody, values.join("; ")));
}

function shownIn(field: FieldWords | undefined, value: unknown): string {
  if (value === null || value === undefined || value === "") return text().changes.nothing;
  return field?.shown?.(value) ?? (Array.isArray(value) ? value.join(", ") : String(value));
}
