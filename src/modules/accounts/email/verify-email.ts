import { eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { users } from "../accounts.tables.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { requireUsable } from "../passwords/password-policy.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { requireOpenToken, useToken } from "./email-tokens.ts";
import { takeOver } from "./take-over.ts";

/** Counts passwords that are held to an account's own, as a login does. */
interface PasswordTries {
  /** Before the password is looked at. @throws RATE_LIMITED */
  count(email: string): void;
  /** After one that was right. */
  forget(email: string): void;
}

type Bearer = Context<UserActor | { kind: "anonymous" }> & {
  passwords: Passwords;
  oneAtATime: OneAtATime;
  tries: PasswordTries;
};

export interface Proof {
  token: string;
  /** For whoever is not signed in to the account; of no effect for whoever is. */
  password?: string | undefined;
}

type Standing = typeof users.$inferSelect;

/**
 * Proves that an account's address belongs to whoever shows the token that went there. Whoever is signed in to that very
 * account, or shows its password, has made it, and nothing else changes. Anybody else holds the mailbox of an account
 * that somebody may have made in their name: they take it over, with a password of their own.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws CONFLICT         the address is proved already, the token is being used, or the password is being changed
 * @throws VALIDATION_ERROR a password is needed, or is the address
 * @throws RATE_LIMITED     too many passwords were tried
 */
export async function verifyEmail(context: Bearer, proof: Proof): Promise<void> {
  await context.oneAtATime(`verify ${proof.token}`, () => verify(context, proof));
}

async function verify(context: Bearer, { token, password }: Proof): Promise<void> {
  const { actor, control, clock, passwords, tries } = context;
  // Looked at first so that only a proof that can succeed costs a hash; decided again in the transaction.
  const seen = await control.read((reader) => requireProvable(reader, token, toInstant(clock.now())));
  if (actor.kind === "user" && actor.userId === seen.id) {
    return control.write(async (tx) => markVerified(tx, context, await requireProvable(tx, token, tx.now), token));
  }

  const given = requirePassword(password);
  tries.count(seen.email);
  if (await passwords.verify(seen.password_hash, given)) {
    await control.write(async (tx) => {
      const account = await requireProvable(tx, token, tx.now);
      // Hashing took a while, in which the password may have been changed: this one then proves nothing.
      if (account.password_hash !== seen.password_hash)
        throw conflict("changed_meanwhile", "The password was changed just now. Try again.");
      await markVerified(tx, context, account, token);
    });
    return tries.forget(seen.email);
  }

  requireUsable(given, seen);
  const passwordHash = await passwords.hash(given);
  await control.write(async (tx) => {
    const { id } = await requireProvable(tx, token, tx.now);
    await useToken(tx, token);
    const after = await takeOver(tx, { userId: id, passwordHash });
    await audit(tx, context, "account.taken_over", { subject: { kind: "user", id }, after });
  });
}

async function markVerified(tx: Tx<"control">, context: Context, { id }: Standing, token: string): Promise<void> {
  await useToken(tx, token);
  await tx.update(users).set({ email_verified_at: tx.now }).where(eq(users.id, id));
  await audit(tx, context, "email.verified", { subject: { kind: "user", id } });
}

async function requireProvable(reader: Reader<"control">, token: string, now: Instant): Promise<Standing> {
  const { account } = await requireOpenToken(reader, "verify", token, now);
  if (account.email_verified_at !== null)
    throw conflict("email_already_verified", "The e-mail address is already verified.");
  return account;
}

function requirePassword(password: string | undefined): string {
  if (password !== undefined) return password;
  const message =
    "Send the account's password, or another one to take the account over: you are not signed in to the account that the address was given for.";
  throw invalid({ path: "password", code: "invalid_type", message });
}
