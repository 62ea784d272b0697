import type { OrgId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { IntentKind } from "../../storage/intents.ts";
import type { Tx } from "../../storage/store.ts";
import { meta } from "../../storage/tenant.tables.ts";
import type { TenantDescription } from "../../storage/tenant-store.ts";

type Updated = TenantDescription & { requestId: string };

/** Carries an organization's name and time zone into its own file: a copy of it explains itself, and `today` reads the zone. */
export const organizationUpdated: IntentKind<"control", Updated> = {
  name: "organization.updated",
  from: "control",
  apply: describe,
};

/** An open intent of schema version 1, which carried the name alone. An upgrade still applies it. */
export const organizationRenamed: IntentKind<"control", Omit<Updated, "time_zone">> = {
  name: "organization.renamed",
  from: "control",
  apply: describe,
};

async function describe(
  tx: Tx<"tenant">,
  { requestId, ...after }: Omit<Updated, "time_zone"> & Partial<Updated>,
  orgId: OrgId,
): Promise<void> {
  const [before] = await tx.select({ name: meta.name, time_zone: meta.time_zone }).from(meta);
  await tx.update(meta).set(after);
  // Who changed it is in the control database's log, under the same request.
  await audit(tx, { actor: { kind: "job", name: "intents" }, requestId }, "organization.updated", {
    subject: { kind: "organization", id: orgId },
    before,
    after,
  });
}
