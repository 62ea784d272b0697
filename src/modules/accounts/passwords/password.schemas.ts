/** The requests and responses of the routes of passwords, sign-ups and e-mail addresses. */
import { z } from "zod";
import { email, text } from "../../../http/fields.ts";
import { TokenPair, wantsCookie } from "../accounts.schemas.ts";
import { user } from "../accounts.shapes.ts";
import { givenPassword, newPassword } from "./password-policy.ts";

const linkToken = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: "The part of the link after the `=`.",
    examples: ["q2v0Zc0r2Lqj3GkXvEsnLQxk0y0m8A9cW4i1Vb7Xyo4"],
  });

export const SignUpBody = z
  .strictObject({
    email,
    password: newPassword,
    name: text(120).meta({ examples: ["Ada Lindner"] }),
    cookie: wantsCookie,
  })
  .meta({ id: "SignUp" });

export const SignedUpAccount = z.strictObject({ user: user.schema, tokens: TokenPair }).meta({ id: "SignedUp" });

export const PasswordChangeBody = z
  .strictObject({
    current_password: givenPassword,
    new_password: newPassword.meta({ examples: ["another horse battery"] }),
  })
  .meta({ id: "PasswordChange" });

export const ForgotPasswordBody = z.strictObject({ email }).meta({ id: "ForgotPassword" });

export const PasswordResetBody = z
  .strictObject({ token: linkToken, password: newPassword })
  .meta({ id: "PasswordReset" });

export const EmailProofBody = z
  .strictObject({
    token: linkToken,
    password: newPassword
      .optional()
      .describe(
        "The password of the account. Another password takes the account over. Required unless the caller is signed in to the account; ignored then.",
      ),
  })
  .meta({ id: "EmailProof" });

const status = <const S extends string>(value: S) => z.strictObject({ status: z.literal(value) });

export const PasswordChanged = status("password_changed").meta({ id: "PasswordChanged" });
export const Accepted = status("accepted").meta({ id: "Accepted" });
export const VerificationSent = status("sent").meta({ id: "VerificationSent" });
export const EmailVerified = status("verified").meta({ id: "EmailVerified" });
