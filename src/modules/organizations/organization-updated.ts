import type { OrgId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { IntentKind } from "../../storage/intents.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { meta } from "../../storage/tenant.tables.ts";
import type { TenantDescription } from "../../storage/tenant-store.ts";
import { organizationChanged } from "./organizations.occasions.ts";

type Updated = TenantDescription & { requestId: string; byOperator?: boolean };

/**
 * Writes an organization's name and time zone to its tenant database: a copy of the file names its organization, and `today`
 * reads the zone. The organization's entry in the directory follows.
 */
export const organizationUpdated: IntentKind<"control", Updated> = {
  name: "organization.updated",
  from: "control",
  apply: updateMeta,
};

/** An intent of schema version 1, with the name only. After an upgrade, one may still be open. */
export const organizationRenamed: IntentKind<"control", Omit<Updated, "time_zone">> = {
  name: "organization.renamed",
  from: "control",
  apply: updateMeta,
};

async function updateMeta(
  tx: Tx<"tenant">,
  { requestId, byOperator = false, ...after }: Omit<Updated, "time_zone"> & Partial<Updated>,
  orgId: OrgId,
): Promise<void> {
  await announce(tx, organizationChanged, { id: orgId });
  const [before] = await tx.select({ name: meta.name, time_zone: meta.time_zone }).from(meta);
  await tx.update(meta).set(after);
  // The control database's audit log names a member, under the same request id. A command has none.
  const actor = byOperator ? ({ kind: "command_line" } as const) : ({ kind: "job", name: "intents" } as const);
  await audit(tx, { actor, requestId }, "organization.updated", {
    subject: { kind: "organization", id: orgId },
    before,
    after,
  });
}
