/** The rules shared by claims of both kinds of invite. */
import { eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Role } from "../../../identity/roles.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import type { LinkMailer } from "../../accounts/email/send-verification.ts";
import type { OneAtATime } from "../../accounts/one-at-a-time.ts";
import { requireUsable } from "../../accounts/passwords/password-policy.ts";
import type { Passwords } from "../../accounts/passwords/passwords.ts";
import type { Client, Session } from "../../accounts/sessions/sessions.ts";
import { findAccount } from "../../accounts/users.ts";
import type { Organization } from "../organizations.shapes.ts";
import { invites } from "../organizations.tables.ts";
import type { Invite } from "./invites.ts";

export type Claimant = Context<UserActor | { kind: "anonymous" }> &
  LinkMailer & {
    passwords: Passwords;
    oneAtATime: OneAtATime;
  };

export interface Claim {
  token: string;
  /** For a new account. Ignored if the caller is signed in. */
  password?: string | undefined;
  /** For a new account. Ignored if the caller is signed in. */
  name?: string | undefined;
  client: Client;
}

export interface Claimed {
  organization: Organization;
  roles: Role[];
  /** For a new account only: a signed-in caller has a session. */
  session: Session | undefined;
}

/** @throws CONFLICT the invite is for another address than the caller's */
export function requireOwnAddress({ email }: UserActor, invite: Invite): void {
  if (email !== invite.email) throw conflict("invite_for_other_email", "The invite is for another e-mail address.");
}

/**
 * The inviter has seen the token, so it does not prove ownership of the address: it never signs in to an existing account
 * and never changes one. Call it last, after the hash and all other checks, so that it tells about an account only to a
 * caller who would otherwise create one.
 *
 * @throws CONFLICT the invited address has an account
 */
export async function requireNewAddress(reader: Reader<"control">, { email }: Invite): Promise<void> {
  if (await findAccount(reader, email))
    throw conflict("email_taken", "The e-mail address already has an account. Sign in to it, then claim again.");
}

/** @throws VALIDATION_ERROR the password is missing, or is the e-mail address */
export function requirePassword({ password }: Claim, { email }: Invite): string {
  if (password === undefined) {
    throw invalid({ path: "password", code: "required", message: "A new account needs a password." });
  }
  requireUsable(password, { email });
  return password;
}

/** Marks the invite as claimed. */
export async function closeInvite(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { id, org_id }: Invite,
  userId: UserId,
): Promise<void> {
  await tx.update(invites).set({ claimed_at: tx.now, claimed_by: userId }).where(eq(invites.id, id));
  await audit(tx, context, "invite.claimed", {
    subject: { kind: "invite", id },
    orgId: org_id,
    after: { claimed_by: userId },
  });
}
