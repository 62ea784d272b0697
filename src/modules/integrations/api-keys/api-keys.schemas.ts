/** What the routes of API keys take. */
import { z } from "zod";
import { shownAs } from "../../../http/documented-as.ts";
import { idOf, instantField, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { isNetwork } from "./api-key-networks.ts";
import { scopeCatalog } from "./scopes.ts";

export const scopeField = z.enum(scopeCatalog.map(({ name }) => name));

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
      .meta({ description: "From then on it is refused; without it, never.", ...shownAs("2099-12-31T00:00:00.000Z") }),
    allowed_networks: z
      .array(
        z
          .string()
          .max(50)
          .refine(
            isNetwork,
            "Must be a network such as 192.0.2.0/24 or 2001:db8::/32, with no bit set behind its prefix; 192.0.2.7/32 is one address.",
          ),
      )
      .min(1)
      .max(20)
      .nullable()
      .optional()
      .meta({
        description: "CIDRs. From elsewhere it is refused as an unknown key is; without any, it may be used anywhere.",
        examples: [["192.0.2.0/24"]],
      }),
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof NewApiKey>;

/** A body may be left out. */
export const ApiKeyRotation = z
  .strictObject({
    grace_hours: z
      .int()
      .min(0)
      .max(72)
      .optional()
      .meta({ description: "For how long the old token is good as well; 24 without it.", examples: [24] }),
  })
  .optional()
  .meta({ id: "ApiKeyRotation" });
export type ApiKeyRotation = z.infer<typeof ApiKeyRotation>;

export const ApiKeyRef = z.object({ orgId: idOf<"organization">(), apiKeyId: idOf<"api_key">() });

export const ApiKeyListQuery = z.object({ ...paging });
