import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { AccountParts } from "../../accounts/accounts.parts.ts";
import { linkTo } from "../../accounts/email/account-mails.ts";
import { findOrganization } from "../organizations.queries.ts";
import type { Invite } from "./invites.ts";

/** The mailer, the base of its links and its limits. */
export type InviteMailer = Pick<AccountParts, "mailer" | "linkUrl" | "limits">;

/** The context of a member who invites. */
export type InviterContext = InOrganization & { mail: InviteMailer };

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
  const { name } = (await findOrganization(tx, org_id)).value;
  const text = [
    `${actor.name} invites you to ${name}, as ${roles.join(", ")}.`,
    "",
    "Follow this link to accept:",
    linkTo(linkUrl, person_id === null ? "invite" : "student", token),
    "",
    `It works once, until ${expires_at.slice(0, 16).replace("T", " ")} UTC.`,
    "If you did not expect this mail, ignore it.",
    "",
  ].join("\n");
  tx.afterCommit(() => {
    limits.inviteMails.count(org_id, email);
    mailer.send({ to: email, subject: "You are invited to a flight school's records", text });
  });
  return true;
}
