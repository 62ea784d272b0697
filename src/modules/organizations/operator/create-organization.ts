import { forbidden } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { type LinkMailer, mailVerification } from "../../accounts/email/send-verification.ts";
import { hasSignIn } from "../../accounts/moved-accounts.ts";
import { resetLinkOf } from "../../accounts/passwords/issue-reset-link.ts";
import { findAccount, insertUser } from "../../accounts/users.ts";
import { addOrganization, withNewFile } from "../add-organization.ts";
import type { NewOrganization } from "../organizations.schemas.ts";

interface Created {
  organizationId: OrgId;
  /** With which the owner chooses a password; null: nothing is missing to sign in. */
  link: string | null;
}

/**
 * Creates an organization for somebody who could not sign it up, because nobody may. The operator vouches for the owner: an
 * account that has the address is made an owner at once, and without one it is made.
 *
 * @throws FORBIDDEN the account of the owner is disabled
 */
export async function createOrganization(
  context: OperatorContext & LinkMailer & { tenants: TenantStore },
  { owner: email, organization }: { owner: string; organization: NewOrganization },
): Promise<Created> {
  return withNewFile(context, organization, async (tx, orgId) => {
    const known = await findAccount(tx, email);
    if (known && known.disabled_at !== null)
      throw forbidden(
        "account_disabled",
        `The account ${email} is disabled. Enable it: windsock account enable ${email}`,
      );
    const made = { email, name: email.split("@", 1).join(""), language: "en", passwordHash: null } as const;
    const account = known ?? (await insertUser(tx, context, made));
    if (known === undefined) await mailVerification(tx, context, context, account);
    await addOrganization(tx, context, { orgId, organization, ownerId: account.id });
    const isComplete = await hasSignIn(tx, account.id);
    const link = isComplete ? null : (await resetLinkOf(tx, context, { id: account.id, disabled_at: null })).link;
    return { organizationId: orgId, link };
  });
}
