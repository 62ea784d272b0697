/** The requests and responses of the routes of the second factor. */
import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { instantOut, text } from "../../../http/fields.ts";

const TOTP = "(?:[ -]*[0-9]){6}[ -]*";
const RECOVERY = "(?:[ -]*[A-Za-z2-7]){24}[ -]*";

const totpCode = z
  .string()
  .max(40, { abort: true })
  .regex(new RegExp(`^${TOTP}$`), formats.totp)
  .meta({ description: "The six digits that the authenticator app shows.", examples: ["287082"] });

const anyCode = z
  .string()
  .max(80, { abort: true })
  .regex(new RegExp(`^(?:${TOTP}|${RECOVERY})$`), formats.totp_or_recovery)
  .meta({
    description:
      "The six digits that the authenticator app shows, or a recovery code: 24 letters and digits, in upper or lower case, with or without hyphens. Each is valid once.",
    examples: ["287082"],
  });

/** An authenticator app reads the text before a colon as the issuer. */
const noColon = (max: number) => text(max).refine((value) => !value.includes(":"), issueCodes.colon);

export const MfaVerifyBody = z
  .strictObject({
    mfa_token: z
      .string()
      .min(1)
      .max(200)
      .meta({
        description: "The `mfa_token` of the response to the sign-in.",
        examples: ["fTgq0Zc0r2Lqj3GkXvEsnLQxk0y0m8A9cW4i1Vb7Xyo"],
      }),
    code: anyCode,
  })
  .meta({ id: "VerifyMfa" });

export const EnrollmentStartBody = z
  .strictObject({
    issuer: noColon(64)
      .optional()
      .meta({ description: "The issuer that the app shows. By default Windsock.", examples: ["Windsock"] }),
    label: noColon(128)
      .optional()
      .meta({
        description: "The account name that the app shows. By default the e-mail address.",
        examples: ["ada@example.com"],
      }),
  })
  .meta({ id: "StartMfaEnrollment" });

export const StartedEnrollment = z
  .strictObject({
    secret: z.string().meta({
      description: "Base32, to type in manually. Only this response shows it.",
      examples: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
    }),
    otpauth_uri: z.string().meta({
      description: "The secret as a link for an authenticator app on this device.",
      examples: ["otpauth://totp/Windsock:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Windsock"],
    }),
    qr_svg: z.string().meta({
      description: "The link as a QR code, an SVG image.",
      examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 450 450"></svg>'],
    }),
  })
  .meta({ id: "StartedMfaEnrollment" });
export type StartedEnrollment = z.infer<typeof StartedEnrollment>;

export const EnrollmentVerifyBody = z.strictObject({ code: totpCode }).meta({ id: "VerifyMfaEnrollment" });

export const RecoveryCodes = z
  .strictObject({
    recovery_codes: z.array(z.string()).meta({
      description: "Ten codes in case the authenticator is lost. Only this response shows them. Each is valid once.",
      examples: [["MZXW-6YTB-OJRG-C4RA-KRUG-KIDR"]],
    }),
  })
  .meta({ id: "RecoveryCodes" });

export const MfaDisabled = z.strictObject({ enrolled: z.literal(false) }).meta({ id: "MfaDisabled" });

export const RecoveryCodeCounts = z
  .strictObject({
    total: z.int().meta({ description: "The number of codes created; 0 without a second factor.", examples: [10] }),
    remaining: z.int().meta({ description: "The number of unused codes.", examples: [9] }),
  })
  .meta({ id: "RecoveryCodeCounts" });

export const StepUpBody = z.strictObject({ code: anyCode }).meta({ id: "StepUp" });

export const SteppedUp = z
  .strictObject({
    step_up_until: instantOut.describe("Until when this session may do what requires a step-up."),
  })
  .meta({ id: "SteppedUp" });
