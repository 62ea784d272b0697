import { eq } from "drizzle-orm";
import type { UserActor } from "../../core/actor.ts";
import { type Instant, toInstant } from "../../core/clock.ts";
import { conflict, invalid } from "../../core/errors.ts";
import type { UserId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { requireUsable } from "../accounts/password-policy.ts";
import type { Passwords } from "../accounts/passwords.ts";
import { type Client, openSession, type Session } from "../accounts/sessions.ts";
import { emailTaken, findAccount, insertUser } from "../accounts/users.ts";
import { insertMembership } from "./insert-membership.ts";
import { type Invite, requireOpenInvite } from "./invites.ts";
import { rolesOf } from "./memberships.queries.ts";
import { findOrganization } from "./organizations.queries.ts";
import type { Organization } from "./organizations.shapes.ts";
import { invites } from "./organizations.tables.ts";
import type { Role } from "./roles.ts";

type Claimant = Context<UserActor | { kind: "anonymous" }> & { passwords: Passwords };

export interface Claim {
  token: string;
  /** For a new account; of no effect for somebody signed in. */
  password?: string | undefined;
  /** By default what stands before the @ of the address. */
  name?: string | undefined;
  client: Client;
}

export interface Claimed {
  organization: Organization;
  roles: Role[];
  /** Of the new account; an existing one has its own. */
  session: Session | undefined;
}

/**
 * Makes somebody a member by their invite, once: with a new account, or with the one they are signed in to, if it is
 * the invited address's. Holding the token proves nothing about the address, since the inviter held it as well; so no
 * existing account is ever entered or changed by it.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT         the address has an account and nobody is signed in, or somebody else is; or it is a member already
 * @throws VALIDATION_ERROR a new account needs a password, and not the address
 */
export async function claimInvite(context: Claimant, input: Claim): Promise<Claimed> {
  const { actor, control, clock, passwords } = context;
  if (actor.kind === "user") {
    return control.write(async (tx) => {
      const invite = await requireClaimable(tx, context, input, tx.now);
      return join(tx, context, invite, actor.userId);
    });
  }
  // Looked at first so that only a claim that can succeed costs a hash; decided again in the transaction.
  const { email } = await control.read((reader) => requireClaimable(reader, context, input, toInstant(clock.now())));
  const passwordHash = await passwords.hash(requirePassword(input, email));
  return control.write(async (tx) => {
    const invite = await requireClaimable(tx, context, input, tx.now);
    const account = await insertUser(tx, context, { email, name: input.name ?? nameIn(email), passwordHash });
    const claimed = await join(tx, context, invite, account.id);
    const { orgId } = invite;
    return {
      ...claimed,
      session: await openSession(tx, context, { account, orgId, amr: ["pwd"], client: input.client }),
    };
  });
}

/** The invite, if the caller may claim it. @throws CONFLICT the invited address's account, if there is one, is not theirs */
async function requireClaimable(
  reader: Reader<"control">,
  { actor }: Claimant,
  { token }: Claim,
  now: Instant,
): Promise<Invite> {
  const invite = await requireOpenInvite(reader, token, now);
  if (actor.kind === "user") {
    if (actor.email !== invite.email) throw conflict("The invite is for another e-mail address.");
    if (await rolesOf(reader, invite.orgId, actor.userId)) throw conflict("You are a member already.");
  } else if (await findAccount(reader, invite.email)) throw emailTaken();
  return invite;
}

function requirePassword({ password }: Claim, email: string): string {
  if (password === undefined) {
    throw invalid({ path: "password", code: "invalid_type", message: "A new account needs a password." });
  }
  requireUsable(password, { email });
  return password;
}

async function join(tx: Tx<"control">, context: Claimant, invite: Invite, userId: UserId): Promise<Claimed> {
  const { id, orgId, roles } = invite;
  await tx.update(invites).set({ claimedAt: tx.now, claimedBy: userId }).where(eq(invites.id, id));
  await audit(tx, context, "invite.claimed", { subject: { kind: "invite", id }, orgId, after: { claimed_by: userId } });
  await insertMembership(tx, context, { orgId, userId, roles });
  return { organization: await findOrganization(tx, orgId), roles, session: undefined };
}

const nameIn = (email: string) => email.split("@", 1).join("");
