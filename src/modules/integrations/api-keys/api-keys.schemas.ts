/** The fields of an API key and the input of the routes. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { scopeCatalog } from "../../../core/scopes.ts";
import { shownAs } from "../../../http/documented-as.ts";
import { idOf, instant, integer, nullable, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { data } from "../../../http/responses.ts";
import { byDefault, inputs } from "../../../storage/columns.ts";
import { isNetwork } from "./api-key-networks.ts";

export const scopeName = z.enum(scopeCatalog.map(({ name }) => name)).meta({ id: "ScopeName" });

export const name = text(80).meta({ examples: ["Accounting export"] });

export const scopes = z
  .array(scopeName)
  .min(1)
  .refine((names) => new Set(names).size === names.length, issueCodes.repeated)
  .meta({ examples: [["public.flights:read", "public.pilots:read"]] });

const network = z.string().max(50).refine(isNetwork, formats.network);

export const allowed_networks = z
  .array(network)
  .min(1)
  .max(20)
  .nullable()
  .meta({
    description:
      "CIDR networks from which the key can be used; null: from any address. From another address it is answered like an unknown key.",
    examples: [["192.0.2.0/24"]],
  });

const expiry = nullable(instant);
const expiryDescription = { description: "The key is invalid from this instant on; null: it does not expire." };
export const expires_at = {
  in: expiry.in.meta({ ...expiryDescription, ...shownAs("2099-12-31T00:00:00.000Z") }),
  out: expiry.out.meta({ ...expiryDescription, examples: [null] }),
};

export const NewApiKey = z
  .strictObject({ name, scopes, ...byDefault(null, inputs({ expires_at, allowed_networks })) })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof NewApiKey>;

/** The body is optional. */
export const ApiKeyRotation = z
  .strictObject({
    grace_hours: integer(0, 72)
      .optional()
      .meta({ description: "For how many hours the previous token stays valid. Default: 24.", examples: [24] }),
  })
  .optional()
  .meta({ id: "ApiKeyRotation" });
export type ApiKeyRotation = z.infer<typeof ApiKeyRotation>;

export const ApiKeyRef = z.object({ orgId: idOf<"organization">(), apiKeyId: idOf<"api_key">() });

export const ApiKeyListQuery = z.strictObject({ ...paging });

export const Scopes = data(
  z.array(
    z
      .strictObject({
        name: scopeName,
        kind: z.enum(["read", "action"]),
        description: z.string().meta({ examples: ["Read pilots, students and instructors."] }),
        routes: z.array(z.string()).meta({
          description: "The routes that require this scope. Some scopes have no route yet.",
          examples: [["GET /api/v1/public/pilots"]],
        }),
      })
      .meta({ id: "Scope" }),
  ),
);
