/** What the routes of signing in through a provider read and answer. */
import { z } from "zod";
import { instantOut, text } from "../../../http/fields.ts";

export const StartBody = z
  .strictObject({
    provider: text(100)
      .regex(/^[a-z][a-z0-9]*$/, "Must be the name of a provider, in lower case.")
      .meta({ description: "One of `oauth_providers` in `/capabilities`.", examples: ["google"] }),
    redirect_to: text(2000)
      .optional()
      .meta({
        description:
          "The page to return to, one that the operator has allowed, letter by letter. Without it the callback answers JSON.",
        examples: ["https://ops.example.com/signed-in"],
      }),
  })
  .meta({ id: "OAuthStart" });

export const Started = z
  .strictObject({
    authorization_url: z.url().meta({
      description: "Where the browser goes next.",
      examples: ["https://accounts.example.com/authorize?client_id=windsock&state=af0ifjsldkj"],
    }),
    expires_in: z.int().meta({ description: "Seconds for which the way back is open.", examples: [600] }),
  })
  .meta({ id: "OAuthStarted" });

/** Codes, states and the names of errors are printable ASCII (RFC 6749, appendix A). */
const opaque = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x20-\x7e]+$/, "Must be printable ASCII.");

export const CallbackQuery = z
  .object({
    code: opaque.optional().meta({
      description: "What the provider hands out for a token; missing when it refuses.",
      examples: ["SplxlOBe"],
    }),
    state: opaque.meta({ description: "What the sign-in was begun with.", examples: ["af0ifjsldkj"] }),
    error: opaque.optional().meta({ description: "Why the provider refuses.", examples: ["access_denied"] }),
    iss: opaque.optional().meta({
      description: "The provider, as it calls itself (RFC 9207).",
      examples: ["https://accounts.example.com"],
    }),
  })
  .refine(({ code, error }) => code !== undefined || error !== undefined, {
    path: ["code"],
    error: "A provider sends a code, or an error.",
  });

export const IdentityRef = z.object({ provider: z.string() });

export const IdentityList = z.array(
  z
    .strictObject({
      provider: z.string().meta({ description: "Its name in `/capabilities`.", examples: ["google"] }),
      linked_at: instantOut,
      made_account: z.boolean().meta({
        description:
          "Whether the account was made by signing in there. What was linked later ends with a password reset.",
        examples: [false],
      }),
    })
    .meta({ id: "Identity" }),
);

export const Unlinked = z.strictObject({ status: z.literal("unlinked") }).meta({ id: "ProviderUnlinked" });
