import { type Instant, toInstant } from "../../../core/clock.ts";
import { conflict } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { postVerification } from "../../accounts/email/send-verification.ts";
import { openSession } from "../../accounts/sessions/sessions.ts";
import { insertUser } from "../../accounts/users.ts";
import { insertMembership } from "../insert-membership.ts";
import { rolesOf } from "../memberships.queries.ts";
import { findOrganization } from "../organizations.queries.ts";
import { type Claim, type Claimant, type Claimed, closeInvite, requireInvited, requirePassword } from "./claims.ts";
import { type Invite, requireOpenInvite } from "./invites.ts";

/**
 * Makes somebody a member by their invite, once: with a new account, or with the one they are signed in to, if it is
 * the invited address's.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT         the address has an account and nobody is signed in, or somebody else is; or it is a member already;
 *   or the token is being used
 * @throws VALIDATION_ERROR a new account needs a password, and not the address
 */
export async function claimInvite(context: Claimant, input: Claim): Promise<Claimed> {
  return context.oneAtATime(`invite ${input.token}`, () => claim(context, input));
}

async function claim(context: Claimant, input: Claim): Promise<Claimed> {
  const { actor, control, clock, passwords } = context;
  if (actor.kind === "user") {
    return control.write(async (tx) => {
      const invite = await requireClaimable(tx, context, input, tx.now);
      return join(tx, context, invite, actor.userId);
    });
  }
  // Looked at first so that only a claim that can succeed costs a hash; decided again in the transaction.
  const seen = await control.read((reader) => requireClaimable(reader, context, input, toInstant(clock.now())));
  const passwordHash = await passwords.hash(requirePassword(input, seen));
  return control.write(async (tx) => {
    const invite = await requireClaimable(tx, context, input, tx.now);
    const { email, org_id: orgId } = invite;
    const account = await insertUser(tx, context, { email, name: input.name ?? nameIn(email), passwordHash });
    await postVerification(tx, context, context, account);
    const claimed = await join(tx, context, invite, account.id);
    const session = await openSession(tx, context, { account, orgId, amr: ["pwd"], client: input.client });
    return { ...claimed, session };
  });
}

/** The invite, if the caller may claim it. */
async function requireClaimable(
  reader: Reader<"control">,
  context: Claimant,
  { token }: Claim,
  now: Instant,
): Promise<Invite> {
  const { actor } = context;
  const invite = await requireOpenInvite(reader, token, now);
  await requireInvited(reader, context, invite);
  if (actor.kind === "user" && (await rolesOf(reader, invite.org_id, actor.userId))) {
    throw conflict("already_member", "You are already a member.");
  }
  return invite;
}

async function join(tx: Tx<"control">, context: Claimant, invite: Invite, userId: UserId): Promise<Claimed> {
  const { org_id: orgId, roles } = invite;
  await closeInvite(tx, context, invite, userId);
  await insertMembership(tx, context, { orgId, userId, roles });
  return { organization: (await findOrganization(tx, orgId)).value, roles, session: undefined };
}

const nameIn = (email: string) => email.split("@", 1).join("");
