/** What the routes of API keys take. */
import { z } from "zod";
import { idOf, instantField, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { scopeCatalog } from "./scopes.ts";

export const scopeField = z.enum(scopeCatalog.map(({ scope }) => scope));

export const NewApiKey = z
  .strictObject({
    name: text(80).meta({ examples: ["Accounting export"] }),
    scopes: z
      .array(scopeField)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, "Name each scope once.")
      .meta({ examples: [["public.flights:read", "public.pilots:read"]] }),
    expires_at: instantField
      .nullable()
      .optional()
      .meta({ description: "From then on it is refused; without it, never." }),
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKeyRef = z.object({ orgId: idOf<"organization">(), apiKeyId: idOf<"api_key">() });

export const ApiKeyListQuery = z.object({ ...paging });
