import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { AccountParts } from "../../accounts/accounts.parts.ts";
import { linkTo } from "../../accounts/email/account-mails.ts";
import { findOrganization } from "../organizations.queries.ts";
import type { Invite } from "./invites.ts";

/** Where mail goes out, and where the links in it lead to. */
export type InvitePost = Pick<AccountParts, "mailer" | "linkUrl" | "limits">;

/** Whoever invites: a member, and the post. */
export type InviteDesk = InOrganization & { post: InvitePost };

/**
 * Mails an invite once the transaction is committed. The inviter is shown the token as well, so a claim proves nothing
 * about the address, mail or no mail. Anybody may found an organization and call it what they like, so its name is not in
 * the subject, and it may send so many: a relay for other people's words is not what the operator's mail server is for.
 *
 * @returns whether it is handed to a mail server: there may be none, or too many mails have gone out
 */
export async function mailInvite(
  tx: Tx<"control">,
  { actor, post }: InviteDesk,
  {
    org_id: orgId,
    email,
    roles,
    person_id: personId,
    expires_at: expiresAt,
  }: Pick<Invite, "org_id" | "email" | "roles" | "person_id" | "expires_at">,
  token: string,
): Promise<boolean> {
  const { mailer, linkUrl, limits } = post;
  if (!mailer.isConfigured || !limits.inviteMails.isAllowed(orgId, email)) return false;
  const { name } = (await findOrganization(tx, orgId)).value;
  const text = [
    `${actor.name} invites you to ${name}, as ${roles.join(", ")}.`,
    "",
    "Follow this link to accept:",
    linkTo(linkUrl, personId === null ? "invite" : "student", token),
    "",
    `It works once, until ${expiresAt.slice(0, 16).replace("T", " ")} UTC.`,
    "If you do not know what this is about, there is nothing you need to do.",
    "",
  ].join("\n");
  tx.afterCommit(() => {
    limits.inviteMails.count(orgId, email);
    mailer.send({ to: email, subject: "You are invited to a flight school's records", text });
  });
  return true;
}
