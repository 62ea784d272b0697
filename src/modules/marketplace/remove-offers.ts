import { eq } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { applications, opportunities } from "./marketplace.tables.ts";

/** Posting: removes what an organization offers, with the applications. */
export async function removeOffers(tx: Tx<"control">, { orgId }: { orgId: OrgId }): Promise<void> {
  await tx.delete(applications).where(eq(applications.org_id, orgId));
  await tx.delete(opportunities).where(eq(opportunities.org_id, orgId));
}
