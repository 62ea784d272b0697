import type { Clock, Instant } from "../../../core/clock.ts";
import type { OrgId } from "../../../core/ids.ts";
import { checkAllDeliveries } from "../../../events/outbox.ts";
import type { suspensions } from "../../../identity/identity.tables.ts";
import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { type IntentKind, writeIntent } from "../../../storage/intents.ts";
import type { Tx } from "../../../storage/store.ts";
import { meta } from "../../../storage/tenant.tables.ts";
import { type Owner, ownersOf } from "./owners-of.queries.ts";

export type SuspensionAction = "organization.suspended" | "organization.removal_planned" | "organization.resumed";

/** What both audit logs have. */
interface Noted {
  reason?: string;
  suspended_at: Instant | null;
  removal_at: Instant | null;
  owners: readonly Pick<Owner, "user_id" | "email">[];
}

interface Changed {
  action: SuspensionAction;
  after: Noted;
}

/**
 * Carries a suspension or its end to the organization's own file: from then on its writes are refused, and its jobs and deliveries
 * rest, or they go on.
 */
export const suspensionChanged: IntentKind<"control", Changed> = {
  name: "organization.suspension_changed",
  from: "control",
  async apply(tx, { action, after }, orgId) {
    const [before] = await tx.select({ suspended_at: meta.suspended_at }).from(meta);
    await tx.update(meta).set({ suspended_at: after.suspended_at });
    await checkAllDeliveries(tx);
    const by = { actor: { kind: "command_line" }, requestId: "" } as const;
    await audit(tx, by, action, { subject: { kind: "organization", id: orgId }, before, after });
  },
};

type Suspension = typeof suspensions.$inferSelect;

interface Change {
  action: SuspensionAction;
  before: Suspension | undefined;
  after: Suspension | undefined;
  owners: readonly Owner[];
}

const notedOf = (suspension: Suspension | undefined, owners: readonly Owner[]): Noted => ({
  ...(suspension && { reason: suspension.reason }),
  suspended_at: suspension?.suspended_at ?? null,
  removal_at: suspension?.removal_at ?? null,
  owners: owners.map(({ user_id, email }) => ({ user_id, email })),
});

/** Writes the audit row of a change, with the intent that carries it to the organization's file. */
export async function noteSuspension(
  tx: Tx<"control">,
  context: OperatorContext,
  orgId: OrgId,
  { action, before, after, owners }: Change,
): Promise<void> {
  const noted = notedOf(after, owners);
  const subject = { kind: "organization", id: orgId };
  const { owners: _, ...told } = notedOf(before, []);
  await audit(tx, context, action, { subject, orgId, before: told, after: noted });
  await writeIntent(tx, context.clock, suspensionChanged, orgId, { action, after: noted });
}

/** Carries the present state to a file that was restored. */
export async function carrySuspension(
  tx: Tx<"control">,
  clock: Clock,
  orgId: OrgId,
  suspension: Suspension | undefined,
): Promise<void> {
  const action = suspension === undefined ? "organization.resumed" : "organization.suspended";
  const after = notedOf(suspension, await ownersOf(tx, orgId));
  await writeIntent(tx, clock, suspensionChanged, orgId, { action, after });
}
