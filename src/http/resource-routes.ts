/**
 * The routes that most resources of an organization have: list, add, get, change. What a resource can do besides, its
 * module adds to the plugin.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Reason } from "../core/reasons.ts";
import type { InOrganization } from "../storage/context.ts";
import { idOf } from "./fields.ts";
import type { Http } from "./http.ts";
import { jsonText } from "./json-text.ts";
import { data, page, responses } from "./responses.ts";

const OrganizationRef = z.object({ orgId: idOf<"organization">() });

/** What the reference says about a route, and the reasons that it may refuse with besides the common ones. */
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
  Resource,
> {
  name: string;
  tag: string;
  /** Below `/orgs/{orgId}`: `aircraft`, or `aircraft/:aircraftId/documents`. */
  path: string;
  /** The resource's own part of the path: `/:aircraftId`. */
  item: string;
  /** The ids in the path of one resource. */
  ref: Ref;
  /** The ids in the path of the list, where there are more than the organization's. */
  parent?: Parent;
  schema: z.ZodType<Resource>;
  list: About & {
    query: Query;
    read(context: InOrganization, query: z.output<Query>, parent: z.output<Parent>): Promise<string>;
  };
  add: About & {
    body: z.ZodType<New>;
    verb(context: InOrganization, body: New, parent: z.output<Parent>): Promise<Resource>;
  };
  get: About & { read(context: InOrganization, ref: z.output<Ref>): Promise<Resource> };
  change: About & {
    body: z.ZodType<Change>;
    verb(context: InOrganization, input: z.output<Ref> & { change: Change }): Promise<Resource>;
  };
}

/** `/orgs/{orgId}/{path}`: GET and POST; and `…/{item}`: GET and PATCH. */
export function resourceRoutes<
  Ref extends z.ZodObject,
  Parent extends z.ZodObject,
  Query extends z.ZodObject,
  New,
  Change,
  Resource,
>(
  { session }: Http,
  {
    name,
    tag,
    path,
    item,
    ref,
    parent,
    schema,
    list,
    add,
    get,
    change,
  }: ResourceRoutes<Ref, Parent, Query, New, Change, Resource>,
) {
  const One = data(schema);
  // The casts tell the compiler what Elysia does: it hands over what these very schemas have read. It can't follow that
  // through type parameters.
  return new Elysia({ name, prefix: `/orgs/:orgId/${path}`, tags: [tag] })
    .use(session)
    .get(
      "/",
      async ({ context, query, params }) =>
        jsonText(await list.read(context, query as z.output<Query>, params as z.output<Parent>)),
      {
        params: parent ?? OrganizationRef,
        query: list.query,
        response: responses({ 200: page(schema) }, 400, 401, 404, ...(list.refuses ?? [])),
        detail: about(list),
      },
    )
    .post(
      "/",
      async ({ context, params, body, set }) => {
        set.status = 201;
        return { data: await add.verb(context, body as New, params as z.output<Parent>) };
      },
      {
        params: parent ?? OrganizationRef,
        body: add.body,
        response: responses({ 201: One }, 400, 401, 404, ...(add.refuses ?? [])),
        detail: about(add),
      },
    )
    .get(item, async ({ context, params }) => ({ data: await get.read(context, params as z.output<Ref>) }), {
      params: ref,
      response: responses({ 200: One }, 401, 404, ...(get.refuses ?? [])),
      detail: about(get),
    })
    .patch(
      item,
      async ({ context, params, body }) => ({
        data: await change.verb(context, { ...(params as z.output<Ref>), change: body as Change }),
      }),
      {
        params: ref,
        body: change.body,
        response: responses({ 200: One }, 400, 401, 404, ...(change.refuses ?? [])),
        detail: about(change),
      },
    );
}

const about = ({ summary, description }: About) => ({ summary, description });
