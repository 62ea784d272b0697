import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { intend } from "../../storage/intents.ts";
import { organizationUpdated } from "./organization-updated.ts";
import { findOrganization } from "./organizations.queries.ts";
import type { Organization } from "./organizations.shapes.ts";
import { organizations } from "./organizations.tables.ts";
import type { Settle } from "./settle.ts";
import type { NewOrganization } from "./sign-up-organization.ts";

export type OrganizationChanges = { [Field in keyof NewOrganization]?: NewOrganization[Field] | undefined };

type Desk = InOrganization & { settle: Settle };

/**
 * Changes what is given and leaves the rest. The name and the time zone also go into the organization's own file: the
 * change stands once the control database has it, and the file follows.
 *
 * @throws FORBIDDEN the actor does not manage the organization
 */
export async function updateOrganization(context: Desk, changes: OrganizationChanges): Promise<JsonOf<Organization>> {
  const { actor, control, clock, requestId } = context;
  authorize(actor, "organization:manage");
  const { orgId } = actor;
  const { updated, hasNewDescription } = await control.write(async (tx) => {
    const before = await findOrganization(tx, orgId);
    await tx
      .update(organizations)
      .set({ ...changes, updated_at: tx.now })
      .where(eq(organizations.id, orgId));
    const after = await findOrganization(tx, orgId);
    const subject = { kind: "organization", id: orgId };
    await audit(tx, context, "organization.updated", { subject, orgId, before, after });
    const { name, time_zone } = after.value;
    const hasNewDescription = name !== before.value.name || time_zone !== before.value.time_zone;
    if (hasNewDescription) await intend(tx, clock, organizationUpdated, orgId, { name, time_zone, requestId });
    return { updated: after, hasNewDescription };
  });
  if (hasNewDescription) await context.settle(orgId);
  return updated;
}
