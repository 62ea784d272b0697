/** The removal of an organization with all its records. Each step may be repeated after a crash. */
import { eq, like, or, sql } from "drizzle-orm";
import { toInstant } from "../../../core/clock.ts";
import type { OrgId } from "../../../core/ids.ts";
import { formerMemberships, memberships, organizations, suspensions } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { By, Context } from "../../../storage/context.ts";
import { tenantMarks } from "../../../storage/control.tables.ts";
import { announce } from "../../../storage/occasions.ts";
import { forgetWordsOf } from "../../../storage/search-words.ts";
import { intents, usedKeys } from "../../../storage/shared.tables.ts";
import type { Tx } from "../../../storage/store.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { forgetOrganization } from "../../accounts/forget-organization.ts";
import { organizationRemoved } from "../organizations.occasions.ts";
import { findOrganization, memberWords } from "../organizations.queries.ts";
import { invites } from "../organizations.tables.ts";
import { ownersOf } from "./owners-of.queries.ts";
import { findSuspension } from "./suspend-organization.ts";

type Removing = Pick<Context, "actor" | "requestId" | "control" | "clock"> & {
  tenants: Pick<TenantStore, "remove">;
  /** Makes the last backup, and has it verified. @returns its path @throws Error there is none */
  backUp(orgId: OrgId): Promise<string>;
};

/**
 * Removes an organization whose time has come. Accounts stay, also those of no other organization.
 *
 * First comes the backup. Then the removal begins: nothing takes it back, and nothing uses the file any more. Then the file is
 * removed, and at last all that the control database has of the organization, but the audit log.
 *
 * @returns whether it was removed: no if it was resumed meanwhile
 */
export async function removeOrganization(context: Removing, orgId: OrgId): Promise<boolean> {
  const { control, clock, tenants } = context;
  const planned = await control.read((reader) => findSuspension(reader, orgId));
  if (planned === undefined) return false;
  if (planned.removal_began_at === null) {
    const backup = planned.without_backup ? null : await context.backUp(orgId);
    const isBegun = await control.write(async (tx) => {
      const present = await findSuspension(tx, orgId);
      const isDue = present?.removal_at != null && present.removal_at <= toInstant(clock.now());
      if (!isDue || (backup === null && !present.without_backup)) return false;
      await begin(tx, orgId, backup);
      return true;
    });
    if (!isBegun) return false;
  }
  await tenants.remove(orgId);
  await control.write((tx) => removeRows(tx, context, orgId));
  return true;
}

/** From here on, no job, no start and no backup expects the file. */
async function begin(tx: Tx<"control">, orgId: OrgId, backup: string | null): Promise<void> {
  await tx.update(suspensions).set({ removal_began_at: tx.now, backup }).where(eq(suspensions.org_id, orgId));
  await tx.delete(intents).where(eq(intents.org_id, orgId));
  await tx.delete(tenantMarks).where(eq(tenantMarks.org_id, orgId));
}

async function removeRows(tx: Tx<"control">, by: By, orgId: OrgId): Promise<void> {
  const suspension = await findSuspension(tx, orgId);
  const before = (await findOrganization(tx, orgId)).value;
  const owners = (await ownersOf(tx, orgId)).map(({ user_id, email }) => ({ user_id, email }));
  await announce(tx, organizationRemoved, { orgId });
  await forgetOrganization(tx, orgId);
  await tx.delete(invites).where(eq(invites.org_id, orgId));
  await tx.delete(memberships).where(eq(memberships.org_id, orgId));
  await tx.delete(formerMemberships).where(eq(formerMemberships.org_id, orgId));
  await forgetWordsOf(tx, memberWords, orgId);
  await forgetAnswersAbout(tx, orgId);
  await tx.delete(suspensions).where(eq(suspensions.org_id, orgId));
  await tx.delete(organizations).where(eq(organizations.id, orgId));
  await audit(tx, by, "organization.removed", {
    subject: { kind: "organization", id: orgId },
    orgId,
    before: { ...before, owners, reason: suspension?.reason },
    after: { backup: suspension?.backup ?? null },
  });
}

/** Kept for repeats of requests, for a day. */
async function forgetAnswersAbout(tx: Tx<"control">, orgId: OrgId): Promise<void> {
  const named = `%${orgId}%`;
  await tx.delete(usedKeys).where(or(like(usedKeys.answer, named), like(usedKeys.location, named)));
}

/** Returns the organizations whose removal is due or has begun. */
export const dueRemovals = (now: Date) => sql`${suspensions.removal_began_at} is not null
  or ${suspensions.removal_at} <= ${toInstant(now)}`;
