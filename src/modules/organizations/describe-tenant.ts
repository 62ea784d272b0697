import type { OrgId } from "../../core/ids.ts";
import type { TenantContext } from "../../storage/context.ts";
import { writeIntent } from "../../storage/intents.ts";
import { meta } from "../../storage/tenant.tables.ts";
import { findSuspension } from "./operator/suspend-organization.ts";
import { carrySuspension } from "./operator/suspension-changed.ts";
import { organizationUpdated } from "./organization-updated.ts";
import { findOrganization } from "./organizations.queries.ts";

/**
 * Gives a tenant's file that was restored the name and the time zone that its organization has now, and whether it is suspended. The
 * caller applies the intents.
 *
 * @throws NOT_FOUND no such organization
 */
export async function describeTenant({
  control,
  tenant,
  clock,
  requestId,
}: Pick<TenantContext, "control" | "tenant" | "clock" | "requestId">): Promise<void> {
  const orgId: OrgId = tenant.id;
  const [before] = await tenant.read((reader) =>
    reader.select({ name: meta.name, time_zone: meta.time_zone, suspended_at: meta.suspended_at }).from(meta),
  );
  await control.write(async (tx) => {
    const { name, time_zone } = (await findOrganization(tx, orgId)).value;
    if (name !== before?.name || time_zone !== before.time_zone)
      await writeIntent(tx, clock, organizationUpdated, orgId, { name, time_zone, requestId });
    const suspension = await findSuspension(tx, orgId);
    if ((before?.suspended_at ?? null) !== (suspension?.suspended_at ?? null))
      await carrySuspension(tx, clock, orgId, suspension);
  });
}
