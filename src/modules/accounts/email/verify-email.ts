import { eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { users } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { requireUsable } from "../passwords/password-policy.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { requireOpenToken, useToken } from "./email-tokens.ts";
import { takeOver } from "./take-over.ts";

/** Counts checks of the account's password, as a login does. */
interface PasswordAttempts {
  /** Call before the check. @throws RATE_LIMITED */
  count(email: string): Promise<void>;
  /** Call after a correct password. */
  forget(email: string): Promise<void>;
}

type VerifyContext = Context<UserActor | { kind: "anonymous" }> & {
  passwords: Passwords;
  oneAtATime: OneAtATime;
  attempts: PasswordAttempts;
};

export interface Proof {
  token: string;
  /** Required if the caller is not signed in to the account; otherwise ignored. */
  password?: string | undefined;
}

type AccountRow = typeof users.$inferSelect;

/**
 * Verifies the address of an account by a token that was mailed there. A caller who is signed in to the account or knows
 * its password created it, and nothing else changes. Any other caller owns the mailbox, but another person may have
 * created the account: the caller takes it over, with a password of their own.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws CONFLICT         the address is already verified, another request is using the token, or the password changed
 *   meanwhile
 * @throws VALIDATION_ERROR the password is missing, or is the e-mail address
 * @throws RATE_LIMITED     too many attempts
 */
export async function verifyEmail(context: VerifyContext, proof: Proof): Promise<void> {
  await context.oneAtATime(`verify ${proof.token}`, () => verify(context, proof));
}

async function verify(context: VerifyContext, { token, password }: Proof): Promise<void> {
  const { actor, control, clock, passwords, attempts } = context;
  // Checked before hashing, so that only a request that can succeed costs a hash. The transaction checks again.
  const seen = await control.read((reader) => requireUnverified(reader, token, toInstant(clock.now())));
  if (actor.kind === "user" && actor.userId === seen.id) {
    return control.write(async (tx) => setVerified(tx, context, await requireUnverified(tx, token, tx.now), token));
  }

  const given = requirePassword(password);
  await attempts.count(seen.email);
  if (await passwords.verify(seen.password_hash, given)) {
    await control.write(async (tx) => {
      const account = await requireUnverified(tx, token, tx.now);
      // The password may have changed while it was hashed. The check above is then out of date.
      if (account.password_hash !== seen.password_hash)
        throw conflict("changed_meanwhile", "The password was changed meanwhile. Try again.");
      await setVerified(tx, context, account, token);
    });
    return attempts.forget(seen.email);
  }

  requireUsable(given, seen);
  const passwordHash = await passwords.hash(given);
  await control.write(async (tx) => {
    const { id } = await requireUnverified(tx, token, tx.now);
    await useToken(tx, token);
    const after = await takeOver(tx, { userId: id, passwordHash });
    await audit(tx, context, "account.taken_over", { subject: { kind: "user", id }, after });
  });
}

async function setVerified(tx: Tx<"control">, context: Context, { id }: AccountRow, token: string): Promise<void> {
  await useToken(tx, token);
  await tx.update(users).set({ email_verified_at: tx.now }).where(eq(users.id, id));
  await audit(tx, context, "email.verified", { subject: { kind: "user", id } });
}

async function requireUnverified(reader: Reader<"control">, token: string, now: Instant): Promise<AccountRow> {
  const { account } = await requireOpenToken(reader, "verify", token, now);
  if (account.email_verified_at !== null)
    throw conflict("email_already_verified", "The e-mail address is already verified.");
  return account;
}

function requirePassword(password: string | undefined): string {
  if (password !== undefined) return password;
  const message =
    "You are not signed in to the account of this link. Send its password, or a new password to take the account over.";
  throw invalid({ path: "password", code: "required", message });
}
