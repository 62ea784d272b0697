/**
 * The routes that most resources of an organization have: list, add, get, change, delete, and actions. Other routes of a
 * resource are a plugin of their own.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { MemberActor } from "../core/actor.ts";
import { type Instant, toInstant } from "../core/clock.ts";
import type { Id, OrgId } from "../core/ids.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { Permission } from "../core/permissions.ts";
import type { Reason } from "../core/reasons.ts";
import type { InOrganization } from "../storage/context.ts";
import type { Kind, Reader, Store } from "../storage/store.ts";
import { requires } from "./before-validation.ts";
import { type Answered, createdBelow, createdBeside } from "./created.ts";
import { idOf } from "./fields.ts";
import type { Http } from "./http.ts";
import { jsonData } from "./json-text.ts";
import { type ListQuery, listPage } from "./list-page.ts";
import { data, page, responses } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

type IdNamed<Name extends string> = Name extends `${infer Kind}Id` ? Id<Kind> : never;

/** The ids in a path: `{ aircraftId: Id<"aircraft"> }` of `aircraft/:aircraftId/documents`. */
export type IdsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [N in Name]: IdNamed<N> } & IdsIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [N in Name]: IdNamed<N> }
    : object;

export const idsIn = (path: string) =>
  z.object({
    orgId: idOf<"organization">(),
    ...Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, idOf()])),
  });

/** What tells a resource of the organization from others, and from what time on: in the control database, reads need both. */
type In<K extends Kind> = K extends "control" ? { orgId: OrgId } : object;
type Now<K extends Kind> = K extends "control" ? { now: Instant } : object;

/** What the reference says about a route, where it differs from the usual, and its reasons to refuse besides the common ones. */
interface About {
  /** The operation's name in clients, where the path has no fitting verb. */
  operationId?: string;
  summary?: string;
  description?: string;
  refuses?: readonly Reason[];
}

/** One permission, or several of which the caller needs one. */
type Permissions = Permission | readonly [Permission, ...Permission[]];

interface Writing extends About {
  /** If not that of the other routes which write. */
  permission?: Permissions;
}

interface Action<Ref, Body, R> extends Writing {
  summary: string;
  description: string;
  /** Of an action that reads one. */
  body?: z.core.$ZodType<Body>;
  verb: (context: InOrganization, input: Ref & NoInfer<Body>) => Promise<JsonOf<R>>;
  /** It answers 201 with another resource, which it made. */
  creates?: boolean;
}

/** The schemas are zod's `$ZodType`: to infer from the whole of `ZodType` takes the compiler a third of all its work. */
interface ResourceRoutes<
  Path extends string,
  Item extends string,
  Query extends z.ZodObject,
  New,
  Change,
  Bodies,
  R extends { id: string },
  K extends Kind,
> {
  tag: string;
  /** For the reference: `["an aircraft", "aircraft"]`. */
  names: readonly [one: string, several: string];
  /** Below `/orgs/{orgId}`: `aircraft`, or `aircraft/:aircraftId/documents`. */
  path: Path;
  /** The resource's own part of the path: `/:aircraftId`. */
  item: Item;
  /** The resource, as its queries declare it. */
  entity: {
    database: K;
    shape: { schema: z.core.$ZodType<R> };
    find(reader: Reader<K>, ref: IdsIn<Path> & IdsIn<Item> & In<K> & Now<K>): Promise<JsonOf<R>>;
  };
  /** To list and get. */
  reads: Permissions;
  /** For all other routes. */
  writes: Permissions;
  list: About & {
    description: string;
    query: Query;
    /** What an item looks like, if it is less than the whole resource. */
    item?: z.core.$ZodType;
    read: (
      reader: Reader<K>,
      query: z.output<Query>,
      at: IdsIn<Path> & In<K> & Now<K> & { actor: MemberActor },
    ) => Promise<Bytes>;
  };
  get?: About & {
    /** The default is the entity's `find`, for callers who may see every one. */
    read?: (
      reader: Reader<K>,
      at: IdsIn<Path> & IdsIn<Item> & In<K> & Now<K> & { actor: MemberActor },
    ) => Promise<JsonOf<R>>;
  };
  add: Writing & {
    body: z.core.$ZodType<New>;
    verb: (context: InOrganization, body: New, parent: IdsIn<Path> & In<K>) => Promise<JsonOf<R>>;
  };
  change?: Writing & {
    body: z.core.$ZodType<Change>;
    verb: (
      context: InOrganization,
      input: IdsIn<Path> & IdsIn<Item> & In<K> & { change: Change },
    ) => Promise<JsonOf<R>>;
  };
  /** Answers with the resource as it was. */
  remove?: Writing & { verb: (context: InOrganization, ref: IdsIn<Path> & IdsIn<Item> & In<K>) => Promise<JsonOf<R>> };
  /** POSTs below one resource: `{ archive: … }` is `POST …/archive`. */
  actions?: { readonly [Name in keyof Bodies]: Action<IdsIn<Path> & IdsIn<Item> & In<K>, Bodies[Name], R> };
}

/** `/orgs/{orgId}/{path}`: GET and POST; `/orgs/{orgId}/{path}/{item}`: GET and, if declared, PATCH, DELETE and actions. */
export function resourceRoutes<
  Path extends string,
  Item extends string,
  Query extends z.ZodObject,
  New,
  Change,
  Bodies,
  R extends { id: string },
  K extends Kind,
>(
  { session }: Http,
  {
    tag,
    names,
    path,
    item,
    entity,
    reads,
    writes,
    ...routes
  }: ResourceRoutes<Path, Item, Query, New, Change, Bodies, R, K>,
): RoutePlugin {
  type Parent = IdsIn<Path> & In<K>;
  type Ref = IdsIn<Path> & IdsIn<Item> & In<K>;
  const [one, several] = names;
  const { list, get = {}, add, change, remove, actions } = routes;
  const { read = entity.find } = get;
  const { schema } = entity.shape;
  const parentRef = idsIn(path);
  const ref = idsIn(path + item);
  const One = data(schema);
  const mayRead = requiresOne(reads);
  const mayWrite = ({ permission = writes }: Writing) => requiresOne(permission);
  // The casts tell the compiler what Elysia does: it passes on what these very schemas have parsed. Its types can't
  // follow that through type parameters.
  const plugin = new Elysia({ name: path, prefix: `/orgs/:orgId/${path}`, tags: [tag] })
    .use(session)
    .get(
      "/",
      async ({ context, query, params }) => {
        const at = { ...(params as Parent & Now<K>), ...asked(context) };
        return listPage(query as z.output<Query> & ListQuery, (query) =>
          storeOf(context, entity.database).read((reader) => list.read(reader, query, at)),
        );
      },
      {
        transform: mayRead,
        params: parentRef,
        query: list.query,
        response: responses({ 200: page(list.item ?? schema) }, 400, 401, 404, ...(list.refuses ?? [])),
        detail: about(list, `List ${several}`),
      },
    )
    .post(
      "/",
      async ({ context, params, body, request, set }) => {
        const added = await add.verb(context, body as New, params as Parent);
        createdBelow(request, set, added.value);
        return jsonData(added);
      },
      {
        transform: mayWrite(add),
        params: parentRef,
        body: add.body,
        response: responses({ 201: One }, 400, 401, 404, ...(add.refuses ?? [])),
        detail: about(add, `Add ${one}`, "Returns it as it is stored."),
      },
    )
    .get(
      item,
      async ({ context, params }) => {
        const at = { ...(params as Ref & Now<K>), ...asked(context) };
        return jsonData(await storeOf(context, entity.database).read((reader) => read(reader, at)));
      },
      {
        transform: mayRead,
        params: ref,
        response: responses({ 200: One }, 401, 404, ...(get.refuses ?? [])),
        detail: about(get, `Get ${one}`, "Returns all its fields."),
      },
    );
  if (change)
    plugin.patch(
      item,
      async ({ context, params, body }) =>
        jsonData(await change.verb(context, { ...(params as Ref), change: body as Change })),
      {
        transform: mayWrite(change),
        params: ref,
        body: change.body,
        response: responses({ 200: One }, 400, 401, 404, ...(change.refuses ?? [])),
        detail: about(change, `Change ${one}`, "Changes the given fields; null clears a field."),
      },
    );
  if (remove)
    plugin.delete(item, async ({ context, params }) => jsonData(await remove.verb(context, params as Ref)), {
      transform: mayWrite(remove),
      params: ref,
      response: responses({ 200: One }, 401, 404, ...(remove.refuses ?? [])),
      detail: about(remove, `Delete ${one}`, "Returns it as it was."),
    });
  for (const [name, action] of Object.entries(actions ?? {}) as [string, Action<Ref, object, R>][]) {
    const { verb, body: Body, creates = false, refuses = [] } = action;
    const hook = {
      transform: mayWrite(action),
      params: ref,
      response: responses({ [creates ? 201 : 200]: One }, 400, 401, 404, ...refuses),
      detail: about(action, name),
    };
    const answer = (request: Request, set: Answered, made: JsonOf<R>) => {
      if (creates) createdBeside(request, set, made.value);
      return jsonData(made);
    };
    const at = `${item}/${name}`;
    // Elysia parses a body only for a handler that uses it.
    if (Body)
      plugin.post(
        at,
        async ({ context, params, body, request, set }) =>
          answer(request, set, await verb(context, { ...(body as object), ...(params as Ref) })),
        { ...hook, body: Body },
      );
    else
      plugin.post(
        at,
        async ({ context, params, request, set }) => answer(request, set, await verb(context, params as Ref)),
        hook,
      );
  }
  return plugin;
}

/** Who asks, and when. */
const asked = ({ actor, clock }: InOrganization) => ({ actor, now: toInstant(clock.now()) });

const storeOf = <K extends Kind>(context: { [Database in Kind]: Store<Database> }, database: K): Store<K> =>
  context[database];

const about = ({ operationId, summary, description }: About, usual: string, said = "") => ({
  ...(operationId !== undefined && { operationId }),
  summary: summary ?? usual,
  description: description ?? said,
});

const requiresOne = (anyOf: Permissions) => (typeof anyOf === "string" ? requires(anyOf) : requires(...anyOf));
