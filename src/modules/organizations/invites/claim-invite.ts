import { toInstant } from "../../../core/clock.ts";
import { conflict } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import { rolesOf } from "../../../identity/memberships.queries.ts";
import type { Tx } from "../../../storage/store.ts";
import { mailVerification } from "../../accounts/email/send-verification.ts";
import { openSession } from "../../accounts/sessions/sessions.ts";
import { insertUser } from "../../accounts/users.ts";
import { insertMembership } from "../insert-membership.ts";
import { findOrganization } from "../organizations.queries.ts";
import {
  type Claim,
  type Claimant,
  type Claimed,
  closeInvite,
  requireNewAddress,
  requireOwnAddress,
  requirePassword,
} from "./claims.ts";
import { type Invite, requireOpenInvite } from "./invites.ts";

/**
 * Claims an invite, once. A caller who is not signed in gets a new account; a signed-in caller's account must have the
 * invited address.
 *
 * @throws NOT_FOUND, CONFLICT, GONE as `requireOpenInvite`
 * @throws CONFLICT         the address has an account and the caller is not signed in to it; the account is already a
 *   member; or another request is using the token
 * @throws VALIDATION_ERROR a new account has no password, or the password is the e-mail address
 */
export async function claimInvite(context: Claimant, input: Claim): Promise<Claimed> {
  return context.oneAtATime(`invite ${input.token}`, () => claim(context, input));
}

async function claim(context: Claimant, input: Claim): Promise<Claimed> {
  const { actor, control, clock, passwords } = context;
  if (actor.kind === "user") {
    return control.write(async (tx) => {
      const invite = await requireOpenInvite(tx, input.token, tx.now);
      requireOwnAddress(actor, invite);
      if (await rolesOf(tx, invite.org_id, actor.userId)) throw conflict("already_member", "You are already a member.");
      return join(tx, context, invite, actor.userId);
    });
  }
  const seen = await control.read((reader) => requireOpenInvite(reader, input.token, toInstant(clock.now())));
  const passwordHash = await passwords.hash(requirePassword(input, seen));
  return control.write(async (tx) => {
    const invite = await requireOpenInvite(tx, input.token, tx.now);
    await requireNewAddress(tx, invite);
    const { email, org_id } = invite;
    const { language } = input.client;
    const name = input.name ?? nameIn(email);
    const account = await insertUser(tx, context, { email, name, language, passwordHash });
    await mailVerification(tx, context, context, account);
    const claimed = await join(tx, context, invite, account.id);
    const session = await openSession(tx, context, { account, orgId: org_id, amr: ["pwd"], client: input.client });
    return { ...claimed, session };
  });
}

async function join(tx: Tx<"control">, context: Claimant, invite: Invite, userId: UserId): Promise<Claimed> {
  const { org_id, roles } = invite;
  await closeInvite(tx, context, invite, userId);
  await insertMembership(tx, context, { orgId: org_id, userId, roles });
  return { organization: (await findOrganization(tx, org_id)).value, roles, session: undefined };
}

const nameIn = (email: string) => email.split("@", 1).join("");
