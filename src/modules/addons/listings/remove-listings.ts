import { eq } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { addonListings } from "../addons.tables.ts";

/** Posting: removes the listings of an organization. */
export async function removeListings(tx: Tx<"control">, { orgId }: { orgId: OrgId }): Promise<void> {
  await tx.delete(addonListings).where(eq(addonListings.org_id, orgId));
}
