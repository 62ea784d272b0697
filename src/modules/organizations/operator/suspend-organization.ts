import { eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { invalid, Problem } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { suspensions } from "../../../identity/identity.tables.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { findOrganization } from "../organizations.queries.ts";
import { type Owner, ownersOf } from "./owners-of.queries.ts";
import { noteSuspension, type SuspensionAction } from "./suspension-changed.ts";

export interface Done {
  /** False if it was so before. */
  changed: boolean;
  name: string;
  /** Whom to tell. */
  owners: readonly Owner[];
}

/**
 * Suspends an organization: its members and programs are refused from now on, and what it published is hidden. The caller applies the
 * intent, with which its jobs and deliveries rest.
 *
 * @throws NOT_FOUND
 */
export const suspendOrganization = (
  context: OperatorContext,
  { orgId, reason }: { orgId: OrgId; reason: string },
): Promise<Done> =>
  changing(context, { orgId, action: "organization.suspended" }, async (tx, before) => {
    if (before !== undefined) return before;
    const [suspension] = await tx
      .insert(suspensions)
      .values({ org_id: orgId, reason, suspended_at: tx.now })
      .returning();
    return suspension;
  });

/**
 * Resumes an organization, whose removal is then no longer planned. The caller applies the intent, with which its jobs and deliveries
 * go on.
 *
 * @throws NOT_FOUND
 * @throws CONFLICT its removal has begun
 */
export const resumeOrganization = (context: OperatorContext, { orgId }: { orgId: OrgId }): Promise<Done> =>
  changing(context, { orgId, action: "organization.resumed" }, async (tx) => {
    await tx.delete(suspensions).where(eq(suspensions.org_id, orgId));
    return undefined;
  });

export interface RemovalPlan {
  orgId: OrgId;
  /** The name of the organization, so that nobody removes another one by a mistaken id. */
  confirm: string;
  removal_at: Instant;
  without_backup: boolean;
  /** Without one, that of an earlier suspension stays. */
  reason?: string | undefined;
}

/**
 * Suspends an organization until its removal, which `remove-organization.ts` does.
 *
 * @throws NOT_FOUND
 * @throws VALIDATION_ERROR `confirm` is not its name
 * @throws CONFLICT         its removal has begun
 */
export const planRemoval = (
  context: OperatorContext,
  { orgId, confirm, reason, ...plan }: RemovalPlan,
): Promise<Done> =>
  changing(context, { orgId, action: "organization.removal_planned" }, async (tx, before, name) => {
    if (confirm !== name) {
      const message = `The organization is called ${name}. Nothing was changed.`;
      throw invalid({ path: "args.confirm", code: "invalid", message });
    }
    const stated = reason === undefined ? {} : { reason };
    const row = { org_id: orgId, reason: "The organization is to be removed.", suspended_at: tx.now };
    const [suspension] = await tx
      .insert(suspensions)
      .values({ ...row, ...stated, ...plan })
      .onConflictDoUpdate({ target: suspensions.org_id, set: { ...stated, ...plan } })
      .returning();
    return before && isSame(before, suspension) ? before : suspension;
  });

type Suspension = typeof suspensions.$inferSelect;

const isSame = (one: Suspension, other: Suspension | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** @param change returns the new row, or the one from before if nothing is changed */
function changing(
  context: OperatorContext,
  { orgId, action }: { orgId: OrgId; action: SuspensionAction },
  change: (tx: Tx<"control">, before: Suspension | undefined, name: string) => Promise<Suspension | undefined>,
): Promise<Done> {
  return context.control.write(async (tx) => {
    const { name } = (await findOrganization(tx, orgId)).value;
    const before = await findSuspension(tx, orgId);
    requireNotBegun(before);
    const owners = await ownersOf(tx, orgId);
    const after = await change(tx, before, name);
    if (after === before) return { changed: false, name, owners };
    await noteSuspension(tx, context, orgId, { action, before, after, owners });
    return { changed: true, name, owners };
  });
}

export async function findSuspension(reader: Reader<"control">, orgId: OrgId): Promise<Suspension | undefined> {
  const [row] = await reader.select().from(suspensions).where(eq(suspensions.org_id, orgId));
  return row;
}

/** @throws CONFLICT */
export function requireNotBegun(suspension: Suspension | undefined): void {
  if (suspension?.removal_began_at == null) return;
  throw new Problem("CONFLICT", "The removal of this organization has begun, and can't be taken back.");
}
