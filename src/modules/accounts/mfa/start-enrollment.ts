import { isNull } from "drizzle-orm";
import { renderSVG } from "uqr";
import type { KeyRing } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import type { StartedEnrollment } from "./mfa.schemas.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { newTotpSecret, sealTotpSecret, toBase32, totpUri } from "./totp.ts";

/** The names that the authenticator app shows. */
export interface EnrollmentNames {
  /** By default Windsock. */
  issuer?: string | undefined;
  /** By default the account's e-mail address. */
  label?: string | undefined;
}

/**
 * Creates a secret for an authenticator app, which no later response shows. No sign-in requires a code until the first
 * code confirms the enrollment. Replaces an unconfirmed enrollment.
 *
 * @throws CONFLICT the account already has a second factor
 */
export async function startEnrollment(
  context: SignedIn & { keys: KeyRing },
  { issuer = "Windsock", label }: EnrollmentNames,
): Promise<StartedEnrollment> {
  const { actor, control, keys } = context;
  const { userId, email } = actor;
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(keys.key("sealing"), userId, secret);

  await control.write(async (tx) => {
    const enrollment = { secret: sealed, created_at: tx.now, confirmed_at: null, last_step: null };
    const made = await tx
      .insert(totpEnrollments)
      .values({ user_id: userId, ...enrollment })
      .onConflictDoUpdate({
        target: totpEnrollments.user_id,
        set: enrollment,
        setWhere: isNull(totpEnrollments.confirmed_at),
      })
      .returning({ user_id: totpEnrollments.user_id });
    if (made.length === 0)
      throw conflict(
        "second_factor_exists",
        "The account already has a second factor. Remove it first: DELETE /auth/mfa/enroll.",
      );
    await audit(tx, context, "mfa.enrollment_started", { subject: { kind: "user", id: userId } });
  });
  const otpauth_uri = await totpUri({ issuer, label: label ?? email, secret });
  // A quiet zone of four modules (ISO/IEC 18004), so that a scanner finds the code on a dark page.
  return { secret: await toBase32(secret), otpauth_uri, qr_svg: renderSVG(otpauth_uri, { border: 4 }) };
}
