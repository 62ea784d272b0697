import { authorize } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { TenantContext } from "../../storage/context.ts";
import { changeRow } from "../../storage/entity.ts";
import { writeIntent } from "../../storage/intents.ts";
import { ask } from "../../storage/occasions.ts";
import { findSuspension, requireNotBegun } from "./operator/suspend-organization.ts";
import { organizationUpdated } from "./organization-updated.ts";
import type { ApplyIntents } from "./organizations.deps.ts";
import { untrainedBy } from "./organizations.occasions.ts";
import { findOrganization, organizationEntity } from "./organizations.queries.ts";
import type { OrganizationPatch } from "./organizations.schemas.ts";
import type { Organization } from "./organizations.shapes.ts";

/** What the tenant database has a copy of, or the directory may show. */
const described = ["name", "time_zone", "kind", "approval_number", "authority"] as const;

/** Otherwise students would be trained for what the organization may not train. @throws CONFLICT */
async function requireTrained({ tenant, control }: TenantContext, kind: Organization["kind"]): Promise<void> {
  const { value: before } = await control.read((reader) => findOrganization(reader, tenant.id));
  if (before.kind === kind) return;
  const kinds = (await tenant.read((reader) => ask(reader, untrainedBy, { kind }))).flat();
  if (kinds.length > 0)
    throw conflict(
      "program_not_permitted",
      `An organization of kind ${kind} may not train ${kinds.join(", ")}. Complete or withdraw these students first.`,
      { kinds },
    );
}

/**
 * Changes the fields given and leaves the rest. The name and the time zone are also in the tenant database: an intent
 * carries them there after the commit in the control database.
 *
 * @throws FORBIDDEN the actor does not manage the organization; NOT_FOUND; CONFLICT the new kind may not train the present students,
 *   or the organization is being removed
 */
export async function updateOrganization(
  context: TenantContext & { applyIntents: ApplyIntents },
  change: OrganizationPatch,
): Promise<JsonOf<Organization>> {
  const { actor, control, clock, requestId, tenant } = context;
  authorize(actor, "organization:manage");
  const orgId = tenant.id;
  if (change.kind !== undefined) await requireTrained(context, change.kind);
  const { updated, hasNewDescription } = await control.write(async (tx) => {
    const before = (await findOrganization(tx, orgId)).value;
    requireNotBegun(await findSuspension(tx, orgId));
    const updated = await changeRow(tx, context, organizationEntity, {
      id: orgId,
      action: "organization.updated",
      orgId,
      set: { ...change, updated_at: tx.now },
    });
    const { name, time_zone } = updated.value;
    const hasNewDescription = described.some((fact) => updated.value[fact] !== before[fact]);
    const byOperator = actor.kind === "command_line";
    if (hasNewDescription)
      await writeIntent(tx, clock, organizationUpdated, orgId, { name, time_zone, requestId, byOperator });
    return { updated, hasNewDescription };
  });
  if (hasNewDescription) await context.applyIntents(orgId);
  return updated;
}
