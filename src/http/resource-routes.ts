/**
 * The routes that most resources of an organization have: list, add, get, change, delete. Other routes of a resource are a
 * plugin of their own.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { authorize, type MemberActor } from "../core/actor.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { Permission } from "../core/permissions.ts";
import type { Reason } from "../core/reasons.ts";
import type { InOrganization } from "../storage/context.ts";
import type { Reader } from "../storage/store.ts";
import { idOf } from "./fields.ts";
import type { Http } from "./http.ts";
import { jsonData, jsonText } from "./json-text.ts";
import { data, page, responses } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

const OrganizationRef = z.object({ orgId: idOf<"organization">() });

/** What the reference says about a route, and its reasons to refuse besides the common ones. */
interface About {
  summary: string;
  description: string;
  refuses?: readonly Reason[];
}

interface ResourceRoutes<
  Ref extends z.ZodObject,
  Parent extends z.ZodObject,
  Query extends z.ZodObject,
  New,
  Change,
  R,
> {
  name: string;
  tag: string;
  /** Below `/orgs/{orgId}`: `aircraft`, or `aircraft/:aircraftId/documents`. */
  path: string;
  /** The resource's own part of the path: `/:aircraftId`. */
  item: string;
  /** The ids in the path of one resource. */
  ref: Ref;
  /** The ids in the path of the list, if there are more than the organization's. */
  parent?: Parent;
  schema: z.ZodType<R>;
  /** The permission to list and get. Without it, the queries decide by the actor. */
  reads?: Permission;
  list: About & {
    query: Query;
    read: (
      reader: Reader<"tenant">,
      query: z.output<Query>,
      at: z.output<Parent> & { actor: MemberActor },
    ) => Promise<Bytes>;
  };
  get: About & { read: (reader: Reader<"tenant">, at: z.output<Ref> & { actor: MemberActor }) => Promise<JsonOf<R>> };
  add: About & {
    body: z.ZodType<New>;
    verb: (context: InOrganization, body: New, parent: z.output<Parent>) => Promise<JsonOf<R>>;
  };
  change: About & {
    body: z.ZodType<Change>;
    verb: (context: InOrganization, input: z.output<Ref> & { change: Change }) => Promise<JsonOf<R>>;
  };
  /** Answers with the resource as it was. */
  remove?: About & { verb: (context: InOrganization, ref: z.output<Ref>) => Promise<JsonOf<R>> };
}

/** `/orgs/{orgId}/{path}`: GET and POST; `/orgs/{orgId}/{path}/{item}`: GET, PATCH and, if declared, DELETE. */
export function resourceRoutes<
  Ref extends z.ZodObject,
  Parent extends z.ZodObject,
  Query extends z.ZodObject,
  New,
  Change,
  R,
>(
  { session }: Http,
  { name, tag, path, item, ref, schema, reads, ...routes }: ResourceRoutes<Ref, Parent, Query, New, Change, R>,
): RoutePlugin {
  const { parent: parentRef = OrganizationRef, list, get, add, change, remove } = routes;
  const One = data(schema);
  const read = <T>({ actor, tenant }: InOrganization, query: (reader: Reader<"tenant">) => Promise<T>): Promise<T> => {
    if (reads) authorize(actor, reads);
    return tenant.read(query);
  };
  // The casts tell the compiler what Elysia does: it passes on what these very schemas have parsed. Its types can't
  // follow that through type parameters.
  const plugin = new Elysia({ name, prefix: `/orgs/:orgId/${path}`, tags: [tag] })
    .use(session)
    .get(
      "/",
      async ({ context, query, params }) => {
        const at = { ...(params as z.output<Parent>), actor: context.actor };
        return jsonText(await read(context, (reader) => list.read(reader, query as z.output<Query>, at)));
      },
      {
        params: parentRef,
        query: list.query,
        response: responses({ 200: page(schema) }, 400, 401, 404, ...(list.refuses ?? [])),
        detail: about(list),
      },
    )
    .post(
      "/",
      async ({ context, params, body, set }) => {
        set.status = 201;
        return jsonData(await add.verb(context, body as New, params as z.output<Parent>));
      },
      {
        params: parentRef,
        body: add.body,
        response: responses({ 201: One }, 400, 401, 404, ...(add.refuses ?? [])),
        detail: about(add),
      },
    )
    .get(
      item,
      async ({ context, params }) => {
        const at = { ...(params as z.output<Ref>), actor: context.actor };
        return jsonData(await read(context, (reader) => get.read(reader, at)));
      },
      {
        params: ref,
        response: responses({ 200: One }, 401, 404, ...(get.refuses ?? [])),
        detail: about(get),
      },
    )
    .patch(
      item,
      async ({ context, params, body }) =>
        jsonData(await change.verb(context, { ...(params as z.output<Ref>), change: body as Change })),
      {
        params: ref,
        body: change.body,
        response: responses({ 200: One }, 400, 401, 404, ...(change.refuses ?? [])),
        detail: about(change),
      },
    );
  if (remove)
    plugin.delete(item, async ({ context, params }) => jsonData(await remove.verb(context, params as z.output<Ref>)), {
      params: ref,
      response: responses({ 200: One }, 401, 404, ...(remove.refuses ?? [])),
      detail: about(remove),
    });
  return plugin;
}

const about = ({ summary, description }: About) => ({ summary, description });
