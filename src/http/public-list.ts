/** A list of the public API: behind an API key with its scope, kept in memory until the organization is written to. */

import { Elysia } from "elysia";
import type { z } from "zod";
import type { Bytes } from "../core/kept-body.ts";
import type { Scope } from "../core/scopes.ts";
import type { Reader } from "../storage/store.ts";
import type { Http } from "./http.ts";
import { jsonPage } from "./json-page.ts";
import { page, responses } from "./responses.ts";

interface PublicList<Query extends z.ZodObject> {
  /** Below `/api/v1/public`: `pilots`. */
  path: string;
  scope: Scope;
  query: Query;
  /** What an item looks like. */
  item: z.ZodType;
  /** The body as JSON text. It may depend on nothing but the query and the organization's database. */
  read(reader: Reader<"tenant">, query: z.output<Query>): Promise<Bytes>;
  summary: string;
  description: string;
}

/** Programs keep cursors of a list of changes for days. */
const restored = "records_restored" as const;

/** `GET /api/v1/public/{path}` */
export const publicList = <Query extends z.ZodObject>(
  { apiKey }: Http,
  { path, scope, query: Query, item, read, summary, description }: PublicList<Query>,
) =>
  new Elysia({ name: `public ${path}`, prefix: `/api/v1/public/${path}`, tags: ["Public API"] }).use(apiKey(scope)).get(
    "/",
    async ({ context, query, request, set }) => {
      // Elysia hands over what this very schema has read; its types can't follow that through a type parameter.
      const question = `public ${path} ${JSON.stringify(query)}`;
      const body = context.tenant.readBody(question, (reader) => read(reader, query as z.output<Query>));
      return jsonPage({ request, set }, await body);
    },
    {
      query: Query,
      response: responses({ 200: page(item) }, 400, 401, ...("updated_since" in Query.shape ? [restored] : [])),
      detail: { summary, description },
    },
  );
