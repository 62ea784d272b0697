/** The JSON of an API key: all fields except the token, which is shown once. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { allowed_networks, expires_at, name, scopes } from "./api-keys.schemas.ts";
import { apiKeys } from "./api-keys.tables.ts";

export const apiKeyStatuses = ["active", "rotated", "revoked", "expired"] as const;

const now = sql.raw("moment.now");

/** The table of keys with the current time, which the status of a key depends on. */
export const keysAsOf = (moment: Instant): SQL => sql`${apiKeys} cross join (select ${moment} as now) as moment`;

/** `previous_until` and `expires_at` keep their values after their time has passed. */
const isRotated = sql`${apiKeys.previous_until} > ${now}`;

export const apiKey = shape("ApiKey", {
  ...columns(apiKeys, { id: idOf<"api_key">(), name }),
  status: field(
    z.enum(apiKeyStatuses).meta({
      description: "`rotated`: the previous token is still valid. Later the key is `active` again.",
      examples: ["active"],
    }),
    sql`case when ${apiKeys.revoked_at} is not null then 'revoked' when ${apiKeys.expires_at} <= ${now} then 'expired'
      when ${isRotated} then 'rotated' else 'active' end`,
  ),
  ...columns(apiKeys, {
    scopes,
    allowed_networks,
    hint: z.string().meta({ description: "The first characters of the token.", examples: ["svc_pk_9aZ0"] }),
  }),
  previous_token_expires_at: field(
    instantOut.nullable().meta({
      description: "When the previous token expires. Null: no previous token is valid.",
      examples: [null],
    }),
    sql`iif(${isRotated}, ${apiKeys.previous_until}, null)`,
  ),
  ...columns(apiKeys, {
    created_by: idOf<"user">(),
    created_at: instantOut,
    expires_at,
    revoked_at: instantOut.nullable(),
    last_used_at: instantOut.nullable().meta({ description: "Up to one minute late: it is written once a minute." }),
    last_used_address: z
      .string()
      .nullable()
      .meta({ examples: ["192.0.2.17"] }),
  }),
  ...names(apiKeys, { created_by: accountName }),
});

export type ApiKey = Resource<typeof apiKey>;

/** A key with its token: the response to creating and rotating it. */
export const createdApiKey = apiKey.schema
  .extend({
    token: z.string().meta({
      description: "The key itself. It is shown once and stored only as a hash.",
      examples: ["svc_pk_9aZ0Qm3LxW7cB5tYkR2hVn8JdP4sGf1O3OdTA"],
    }),
  })
  .meta({ id: "CreatedApiKey" });

export type CreatedApiKey = z.infer<typeof createdApiKey>;
