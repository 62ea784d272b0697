/** A list of the public API without pages: behind an API key, kept in memory until the organization is written to. */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Bytes } from "../core/kept-body.ts";
import type { Reader } from "../storage/store.ts";
import type { Http } from "./http.ts";
import { jsonText } from "./json-text.ts";
import { data, responses } from "./responses.ts";
import type { RoutePlugin } from "./route.ts";

interface PublicCollection<Query extends z.ZodObject> {
  /** Below `/api/v1/public`: `fleet`. */
  path: string;
  scope: string;
  query: Query;
  item: z.ZodType;
  /** The body as JSON text. It may depend on nothing but the query and the organization's database. */
  read(reader: Reader<"tenant">, query: z.output<Query>): Promise<string | Bytes>;
  summary: string;
  description: string;
}

/** `GET /api/v1/public/{path}` */
export const publicCollection = <Query extends z.ZodObject>(
  { apiKey }: Http,
  { path, scope, query: Query, item, read, summary, description }: PublicCollection<Query>,
): RoutePlugin =>
  new Elysia({ name: `public ${path}`, prefix: `/api/v1/public/${path}`, tags: ["Public API"] }).use(apiKey(scope)).get(
    "/",
    async ({ context, query }) => {
      // Elysia hands over what this very schema has read; its types can't follow that through a type parameter.
      const question = `public ${path} ${JSON.stringify(query)}`;
      return jsonText(await context.tenant.readBody(question, (reader) => read(reader, query as z.output<Query>)));
    },
    {
      query: Query,
      response: responses({ 200: data(z.array(item)) }, 400, 401),
      detail: { summary, description },
    },
  );
