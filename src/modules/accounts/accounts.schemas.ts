/** The requests and responses of the routes of accounts. */
import { z } from "zod";
import { email, idOf } from "../../http/fields.ts";
import { givenPassword } from "./passwords/password-policy.ts";

const refreshToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "The newest refresh token of the session.", examples: ["AZCGuqyWd0u8zrswIpmoVwAAAAEm3c…"] });

/** Requests the refresh token in the cookie. */
export const wantsCookie = z
  .boolean()
  .optional()
  .meta({
    description:
      "Whether the refresh token is set as the cookie `svc_refresh`, which scripts cannot read, and not in the body.",
    examples: [false],
  });

export const LogInBody = z
  .strictObject({
    email,
    password: givenPassword,
    org_id: idOf<"organization">()
      .optional()
      .describe("The organization of requests that name none. By default the one joined first."),
    cookie: wantsCookie,
  })
  .meta({ id: "LogIn" });

const withoutToken = "Without a token in the body, the cookie `svc_refresh` is used.";

export const LogOutBody = z
  .strictObject({ refresh_token: refreshToken.optional() })
  .meta({ id: "LogOut", description: withoutToken });

export const RefreshBody = z
  .strictObject({
    refresh_token: refreshToken.optional(),
    cookie: z
      .boolean()
      .optional()
      .meta({
        description:
          "With a token in the body: whether the next one is set as the cookie `svc_refresh`, and not in the body. Without a token: whether a browser without the cookie gets 204, which is no error.",
        examples: [false],
      }),
  })
  .meta({ id: "Refresh", description: withoutToken });

export const TokenPair = z
  .strictObject({
    token_type: z.literal("Bearer"),
    access_token: z
      .string()
      .meta({ description: "Send it as `Authorization: Bearer …`.", examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi…"] }),
    expires_in: z.int().meta({ description: "Seconds for which the access token is valid.", examples: [900] }),
    refresh_token: refreshToken
      .optional()
      .describe("Exchanged for the next pair, once. Missing if it is in the cookie `svc_refresh`."),
    refresh_expires_in: z
      .int()
      .meta({ description: "Seconds after which the session ends unless it is refreshed.", examples: [2_592_000] }),
  })
  .meta({ id: "TokenPair" });

export const MfaChallenge = z
  .strictObject({
    mfa_required: z.literal(true),
    mfa_token: z.string().meta({
      description: "Send it to `POST /auth/mfa/verify` with a code.",
      examples: ["fTgq0Zc0r2Lqj3GkXvEsnLQxk0y0m8A9cW4i1Vb7Xyo"],
    }),
    expires_in: z.int().meta({ description: "Seconds for which the challenge is valid.", examples: [300] }),
  })
  .meta({ id: "MfaChallenge", description: "The password is correct. The account also has a second factor." });

/** The response to a sign-in. */
export const SignedInOrChallenged = z.union([TokenPair, MfaChallenge]);

export const SignedOut = z
  .strictObject({ status: z.literal("signed_out") })
  .meta({ id: "SignedOut", description: "A flat map of strings." });
