/** The parts of a new organization, which a sign-up and the operator share. */
import { eq } from "drizzle-orm";
import type { Clock } from "../../core/clock.ts";
import { newId, type OrgId, type UserId } from "../../core/ids.ts";
import { organizations } from "../../identity/identity.tables.ts";
import type { Context } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import type { Control, Tx } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { insertMembership } from "./insert-membership.ts";
import { organizationEntity } from "./organizations.queries.ts";
import type { NewOrganization } from "./organizations.schemas.ts";
import type { Organization } from "./organizations.shapes.ts";

interface Stores {
  control: Control;
  clock: Clock;
  tenants: Pick<TenantStore, "create" | "discard">;
}

/**
 * Makes the database file of a new organization, and then writes the organization. The file comes first: after a crash between
 * the two, the file has no owner and the next start puts it aside. No organization is ever without its file.
 */
export async function withNewFile<T>(
  { control, clock, tenants }: Stores,
  organization: NewOrganization,
  write: (tx: Tx<"control">, orgId: OrgId) => Promise<T>,
): Promise<T> {
  const orgId = newId<"organization">(clock);
  try {
    await tenants.create(orgId, organization);
    return await control.write((tx) => write(tx, orgId));
  } catch (error) {
    // While that can't be read, the file stays: the next start puts one aside that nobody owns.
    if (!(await isCommitted(control, orgId).catch(() => true))) await tenants.discard(orgId);
    throw error;
  }
}

/** Checked before the file is removed: a commit can succeed and still report an error. */
async function isCommitted(control: Control, orgId: OrgId): Promise<boolean> {
  const rows = await control.read((reader) =>
    reader.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId)),
  );
  return rows.length > 0;
}

interface Added {
  orgId: OrgId;
  organization: NewOrganization;
  ownerId: UserId;
}

/** Posting: the organization, whose file is there, and its owner's membership. */
export async function addOrganization(
  tx: Tx<"control">,
  context: Context & { tenants: Pick<TenantStore, "markOwned"> },
  { orgId, organization, ownerId }: Added,
): Promise<Organization> {
  const { value } = await addRow(tx, context, organizationEntity, {
    action: "organization.created",
    orgId,
    row: { id: orgId, ...organization, created_at: tx.now, updated_at: tx.now },
    also: () => context.tenants.markOwned(tx, orgId),
  });
  await insertMembership(tx, context, { orgId, userId: ownerId, roles: ["owner"] });
  return value;
}
