import { eq } from "drizzle-orm";
import type { UserActor } from "../../core/actor.ts";
import { type Instant, toInstant } from "../../core/clock.ts";
import { conflict, invalid } from "../../core/errors.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Reader } from "../../storage/store.ts";
import { users } from "./accounts.tables.ts";
import { requireOpenToken, useToken } from "./email-tokens.ts";
import { requireUsable } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { takeOver } from "./take-over.ts";

type Bearer = Context<UserActor | { kind: "anonymous" }> & { passwords: Passwords };

export interface Proof {
  token: string;
  /** For whoever is not signed in to the account; of no effect for whoever is. */
  password?: string | undefined;
}

/**
 * Proves that an account's address belongs to whoever shows the token that went there. Signed in to that very account
 * they have made it, and nothing else changes. Anybody else, signed in elsewhere or not at all, holds the mailbox of an
 * account that somebody may have made in their name: they take it over, with a password of their own.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenToken`
 * @throws CONFLICT         the address is proved already
 * @throws VALIDATION_ERROR a password is needed, or is the address
 */
export async function verifyEmail(context: Bearer, { token, password }: Proof): Promise<void> {
  const { actor, control, clock, passwords } = context;
  // Looked at first so that only a proof that can succeed costs a hash; decided again in the transaction.
  const account = await control.read((reader) => requireProvable(reader, token, toInstant(clock.now())));
  const isTheirs = actor.kind === "user" && actor.userId === account.id;
  const passwordHash = isTheirs ? undefined : await passwords.hash(requirePassword(password, account));

  await control.write(async (tx) => {
    const { id } = await requireProvable(tx, token, tx.now);
    await useToken(tx, token);
    const subject = { kind: "user", id };
    if (passwordHash === undefined) {
      await tx.update(users).set({ emailVerifiedAt: tx.now }).where(eq(users.id, id));
      return audit(tx, context, "email.verified", { subject });
    }
    const after = await takeOver(tx, { userId: id, passwordHash });
    return audit(tx, context, "account.taken_over", { subject, after });
  });
}

async function requireProvable(reader: Reader<"control">, token: string, now: Instant) {
  const { account } = await requireOpenToken(reader, "verify", token, now);
  if (account.emailVerifiedAt !== null) throw conflict("The e-mail address is verified already.");
  return account;
}

function requirePassword(password: string | undefined, account: { email: string }): string {
  if (password === undefined) {
    const message = "Choose a password: you are not signed in to the account that the address was given for.";
    throw invalid({ path: "password", code: "invalid_type", message });
  }
  requireUsable(password, account);
  return password;
}
