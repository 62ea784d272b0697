/** What the routes of accounts read and answer. */
import { z } from "zod";
import { email, idOf } from "../../http/fields.ts";
import { givenPassword } from "./passwords/password-policy.ts";

const refreshToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "The newest refresh token of the session.", examples: ["AZCGuqyWd0u8zrswIpmoVwAAAAEm3c…"] });

/** Asks for the refresh token in the cookie. */
export const wantsCookie = z
  .boolean()
  .optional()
  .meta({
    description:
      "Whether the refresh token goes into the cookie `svc_refresh`, out of reach of scripts, and not into the answer.",
    examples: [false],
  });

export const LogInBody = z
  .strictObject({
    email,
    password: givenPassword,
    org_id: idOf<"organization">()
      .optional()
      .describe("The organization to act in where a request names none. By default the one joined first."),
    cookie: wantsCookie,
  })
  .meta({ id: "LogIn" });

export const RefreshBody = z
  .strictObject({ refresh_token: refreshToken.optional() })
  .meta({ id: "RefreshTokenBody", description: "Without a token here, the one in the cookie `svc_refresh` is used." });

export const TokenPair = z
  .strictObject({
    token_type: z.literal("Bearer"),
    access_token: z
      .string()
      .meta({ description: "Goes into `Authorization: Bearer …`.", examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi…"] }),
    expires_in: z.int().meta({ description: "Seconds for which the access token is valid.", examples: [900] }),
    refresh_token: refreshToken
      .optional()
      .describe("Buys the next pair, once. Missing when it travels in the cookie `svc_refresh`."),
    refresh_expires_in: z
      .int()
      .meta({ description: "Seconds after which the session ends unless it is refreshed.", examples: [2_592_000] }),
  })
  .meta({ id: "TokenPair" });

export const MfaChallenge = z
  .strictObject({
    mfa_required: z.literal(true),
    mfa_token: z.string().meta({
      description: "Goes to `POST /auth/mfa/verify` together with a code.",
      examples: ["fTgq0Zc0r2Lqj3GkXvEsnLQxk0y0m8A9cW4i1Vb7Xyo"],
    }),
    expires_in: z.int().meta({ description: "Seconds for which the challenge waits.", examples: [300] }),
  })
  .meta({ id: "MfaChallenge", description: "The password was right; the account also has a second factor." });

/** What a sign-in is answered with. */
export const SignedInOrChallenged = z.union([TokenPair, MfaChallenge]);

export const SignedOut = z
  .strictObject({ status: z.literal("signed_out") })
  .meta({ id: "SignedOut", description: "A flat map of strings." });
