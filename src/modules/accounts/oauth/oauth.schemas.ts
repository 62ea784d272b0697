/** The requests and responses of the routes of sign-in through a provider. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { instantOut, text } from "../../../http/fields.ts";
import { fault } from "../../../http/schema-fault.ts";
import { wantsCookie } from "../accounts.schemas.ts";

export const StartBody = z
  .strictObject({
    // Not `text`, which has a pattern too: orval's zod client can't be loaded with two patterns and a length.
    provider: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[a-z][a-z0-9]*$/, formats.provider)
      .meta({ description: "One of `oauth_providers` in `/capabilities`.", examples: ["google"] }),
    redirect_to: text(2000)
      .optional()
      .meta({
        description:
          "The page to redirect to. It must be exactly one that the operator has allowed. Without it, the callback responds with JSON.",
        examples: ["https://ops.example.com/signed-in"],
      }),
    cookie: wantsCookie.describe(
      "Whether the callback sets the refresh token as the cookie `svc_refresh`, which scripts cannot read. With `redirect_to` it always does.",
    ),
  })
  .meta({ id: "OAuthStart" });

export const Started = z
  .strictObject({
    authorization_url: z.url().meta({
      description: "The address to send the browser to.",
      examples: ["https://accounts.example.com/authorize?client_id=windsock&state=af0ifjsldkj"],
    }),
    expires_in: z.int().meta({ description: "Seconds within which the sign-in must finish.", examples: [600] }),
  })
  .meta({ id: "OAuthStarted" });

/** Codes, states and error names are printable ASCII (RFC 6749, appendix A). */
const opaque = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x20-\x7e]+$/, formats.ascii);

export const CallbackQuery = z
  .object({
    code: opaque.optional().meta({
      description: "The authorization code; missing if the provider denied access.",
      examples: ["SplxlOBe"],
    }),
    state: opaque.meta({ description: "The `state` that the sign-in was started with.", examples: ["af0ifjsldkj"] }),
    error: opaque.optional().meta({ description: "Why the provider denied access.", examples: ["access_denied"] }),
    iss: opaque.optional().meta({
      description: "The issuer identifier of the provider (RFC 9207).",
      examples: ["https://accounts.example.com"],
    }),
  })
  .refine(({ code, error }) => code !== undefined || error !== undefined, {
    path: ["code"],
    ...fault("one_needed", { fields: ["code", "error"] }),
  });

export const IdentityRef = z.object({ provider: z.string() });

export const Identity = z
  .strictObject({
    provider: z.string().meta({ description: "Its name in `/capabilities`.", examples: ["google"] }),
    linked_at: instantOut,
    made_account: z.boolean().meta({
      description:
        "Whether the account was created through this provider. A password reset unlinks providers that were linked later.",
      examples: [false],
    }),
  })
  .meta({ id: "Identity" });
export type Identity = z.infer<typeof Identity>;

export const Unlinked = z.strictObject({ status: z.literal("unlinked") }).meta({ id: "ProviderUnlinked" });
