/** What an API key looks like from outside: everything but the token, which is shown once. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { field, json, type Resource, shape } from "../../../storage/shape.ts";
import { scopeField } from "./api-keys.schemas.ts";
import { apiKeys } from "./api-keys.tables.ts";

export const apiKeyStatuses = ["active", "rotated", "revoked", "expired"] as const;

const now = sql.raw("moment.now");

/** The keys beside the moment that they are looked at, which decides on what they are. */
export const keysAsOf = (moment: Instant): SQL => sql`${apiKeys} cross join (select ${moment} as now) as moment`;

/** Both columns stay as they are when their time is over. */
const isRotated = sql`${apiKeys.previous_until} > ${now}`;

export const apiKey = shape("ApiKey", {
  id: field(idOf<"api_key">(), apiKeys.id),
  name: field(z.string().meta({ examples: ["Accounting export"] }), apiKeys.name),
  status: field(
    z.enum(apiKeyStatuses).meta({
      description: "`rotated`: the token before the last rotation is good as well. Then `active` again.",
      examples: ["active"],
    }),
    sql`case when ${apiKeys.revoked_at} is not null then 'revoked' when ${apiKeys.expires_at} <= ${now} then 'expired'
      when ${isRotated} then 'rotated' else 'active' end`,
  ),
  scopes: field(
    z.array(scopeField).meta({ examples: [["public.flights:read", "public.pilots:read"]] }),
    json(apiKeys.scopes),
  ),
  allowed_networks: field(
    z
      .array(z.string())
      .nullable()
      .meta({ description: "It may be used from these alone; null: from anywhere.", examples: [["192.0.2.0/24"]] }),
    json(apiKeys.allowed_networks),
  ),
  hint: field(
    z.string().meta({ description: "How the token begins, to recognize it by.", examples: ["svc_pk_9aZ0"] }),
    apiKeys.hint,
  ),
  previous_token_expires_at: field(
    instantOut.nullable().meta({
      description: "Until then the token before the last rotation is good as well. Null when it is not.",
      examples: [null],
    }),
    sql`iif(${isRotated}, ${apiKeys.previous_until}, null)`,
  ),
  created_by: field(idOf<"user">(), apiKeys.created_by),
  created_at: field(instantOut, apiKeys.created_at),
  expires_at: field(instantOut.nullable(), apiKeys.expires_at),
  revoked_at: field(instantOut.nullable(), apiKeys.revoked_at),
  last_used_at: field(
    instantOut.nullable().meta({ description: "Written down once a minute, so it may lag by that much." }),
    apiKeys.last_used_at,
  ),
  last_used_address: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["192.0.2.17"] }),
    apiKeys.last_used_address,
  ),
});

export type ApiKey = Resource<typeof apiKey>;

/** A key as it is shown the one time that its token is: when it is made, and when it is rotated. */
export const createdApiKey = apiKey.schema
  .extend({
    token: z.string().meta({
      description: "The key itself. It is shown this once and kept only as a hash.",
      examples: ["svc_pk_9aZ0Qm3LxW7cB5tYkR2hVn8JdP4sGf1O3OdTA"],
    }),
  })
  .meta({ id: "CreatedApiKey" });

export type CreatedApiKey = z.infer<typeof createdApiKey>;
