import type { MemberActor } from "../../../core/actor.ts";
import type { Language } from "../../../core/languages.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { AccountParts } from "../../accounts/accounts.parts.ts";
import { linkTo } from "../../accounts/email/account-mails.ts";
import { findAccount, findUser } from "../../accounts/users.ts";
import { findOrganization } from "../organizations.queries.ts";
import { inviteTexts } from "./invite-texts.ts";
import type { Invite } from "./invites.ts";

/** The mailer, the base of its links and its limits. */
export type InviteMailer = Pick<AccountParts, "mailer" | "linkUrl" | "limits">;

/** The context of a member who invites. */
export type InviterContext = InOrganization & { mail: InviteMailer };

/** The language of the address's account, or else that of the account of the member who invites. */
async function languageFor(tx: Tx<"control">, { userId }: MemberActor, email: string): Promise<Language> {
  return ((await findAccount(tx, email)) ?? (await findUser(tx, userId))).language;
}

/**
 * Mails an invite after the commit. The inviter sees the token as well, so a claim does not prove ownership of the
 * address, with or without mail. Anyone can sign up an organization with any name. To keep the operator's mail server
 * from relaying text of strangers, the name is not in the subject, and the number of mails is limited.
 *
 * @returns whether a mail is sent: no if no mail server is configured or the limit is reached
 */
export async function mailInvite(
  tx: Tx<"control">,
  { actor, mail }: InviterContext,
  {
    org_id,
    email,
    roles,
    person_id,
    expires_at,
  }: Pick<Invite, "org_id" | "email" | "roles" | "person_id" | "expires_at">,
  token: string,
): Promise<boolean> {
  const { mailer, linkUrl, limits } = mail;
  if (!mailer.isConfigured || !limits.inviteMails.isAllowed(org_id, email)) return false;
  const { name: organization } = (await findOrganization(tx, org_id)).value;
  const inviteText = inviteTexts[await languageFor(tx, actor, email)];
  const link = linkTo(linkUrl, person_id === null ? "invite" : "student", token);
  const told = inviteText({ inviter: actor.name, organization, roles, link, expiresAt: expires_at });
  tx.afterCommit(() => {
    limits.inviteMails.count(org_id, email);
    mailer.send({ to: email, ...told });
  });
  return true;
}
