/** One resource of the public API: behind an API key with its scope. */

import { Elysia } from "elysia";
import type { z } from "zod";
import type { JsonOf } from "../core/json-of.ts";
import type { Scope } from "../core/scopes.ts";
import type { Reader } from "../storage/store.ts";
import type { Http } from "./http.ts";
import { jsonData } from "./json-text.ts";
import { data, responses } from "./responses.ts";

interface PublicResource<Ref extends z.ZodObject> {
  /** Below `/api/v1/public`: `flights/:flightId`. */
  path: string;
  scope: Scope;
  /** The ids in the path. */
  ref: Ref;
  schema: z.ZodType;
  /** @throws NOT_FOUND */
  read(reader: Reader<"tenant">, ref: z.output<Ref>): Promise<JsonOf<unknown>>;
  summary: string;
  description: string;
}

/** `GET /api/v1/public/{path}` */
export const publicResource = <Ref extends z.ZodObject>(
  { apiKey }: Http,
  { path, scope, ref, schema, read, summary, description }: PublicResource<Ref>,
) =>
  new Elysia({ name: `public ${path}`, prefix: "/api/v1/public", tags: ["Public API"] }).use(apiKey(scope)).get(
    `/${path}`,
    // Elysia hands over what this very schema has read; its types can't follow that through a type parameter.
    async ({ context, params }) =>
      jsonData(await context.tenant.read((reader) => read(reader, params as z.output<Ref>))),
    {
      params: ref,
      response: responses({ 200: data(schema) }, 401, 404),
      detail: { summary, description },
    },
  );
