import { isNull } from "drizzle-orm";
import { renderSVG } from "uqr";
import type { KeyRing } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import type { StartedEnrollment } from "./mfa.schemas.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { newTotpSecret, sealTotpSecret, toBase32, totpUri } from "./totp.ts";

/** What the authenticator app will call the account. */
export interface Naming {
  /** By default Windsock. */
  issuer?: string | undefined;
  /** By default the account's e-mail address. */
  label?: string | undefined;
}

/**
 * Gives the account a secret for an authenticator app, which is in the answer, this one time. Nothing is demanded until
 * its first code confirms it; an enrollment that was begun before is replaced.
 *
 * @throws CONFLICT there is a second factor already
 */
export async function startEnrollment(
  context: SignedIn & { keys: KeyRing },
  { issuer = "Windsock", label }: Naming,
): Promise<StartedEnrollment> {
  const { actor, control, keys } = context;
  const { userId, email } = actor;
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(keys.key("sealing"), userId, secret);

  await control.write(async (tx) => {
    const begun = { secret: sealed, created_at: tx.now, confirmed_at: null, last_step: null };
    const made = await tx
      .insert(totpEnrollments)
      .values({ user_id: userId, ...begun })
      .onConflictDoUpdate({
        target: totpEnrollments.user_id,
        set: begun,
        setWhere: isNull(totpEnrollments.confirmed_at),
      })
      .returning({ user_id: totpEnrollments.user_id });
    if (made.length === 0)
      throw conflict(
        "second_factor_exists",
        "There is already a second factor. Remove it first: DELETE /auth/mfa/enroll.",
      );
    await audit(tx, context, "mfa.enrollment_started", { subject: { kind: "user", id: userId } });
  });
  const otpauth_uri = totpUri({ issuer, label: label ?? email, secret });
  // Four modules of white on each side (ISO/IEC 18004), so that it is found on a dark page too.
  return { secret: toBase32(secret), otpauth_uri, qr_svg: renderSVG(otpauth_uri, { border: 4 }) };
}
