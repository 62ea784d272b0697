/** What an API key looks like from outside: everything but the token, which is shown once. */
import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { field, json, type Resource, shape } from "../../storage/shape.ts";
import { scopeField } from "./integrations.schemas.ts";
import { apiKeys } from "./integrations.tables.ts";

export const apiKey = shape("ApiKey", {
  id: field(idOf<"api_key">(), apiKeys.id),
  name: field(z.string().meta({ examples: ["Accounting export"] }), apiKeys.name),
  scopes: field(
    z.array(scopeField).meta({ examples: [["public.flights:read", "public.pilots:read"]] }),
    json(apiKeys.scopes),
  ),
  hint: field(
    z.string().meta({ description: "How the token begins, to recognize it by.", examples: ["svc_pk_9aZ0"] }),
    apiKeys.hint,
  ),
  created_by: field(idOf<"user">(), apiKeys.createdBy),
  created_at: field(instantOut, apiKeys.createdAt),
  expires_at: field(instantOut.nullable(), apiKeys.expiresAt),
  revoked_at: field(instantOut.nullable(), apiKeys.revokedAt),
});

export type ApiKey = Resource<typeof apiKey>;

/** A key as it is shown the one time that its token is. */
export const createdApiKey = apiKey.schema
  .extend({
    token: z.string().meta({
      description: "The key itself. It is shown this once and kept only as a hash.",
      examples: ["svc_pk_9aZ0Qm3LxW7cB5tYkR2hVn8JdP4sGf1O3OdTA"],
    }),
  })
  .meta({ id: "CreatedApiKey" });

export type CreatedApiKey = z.infer<typeof createdApiKey>;
