import { eq, inArray } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { directoryEntries, directoryWords } from "../entries.tables.ts";

/** Posting: removes the entries of an organization with their moderation. */
export async function removeEntries(tx: Tx<"control">, { orgId }: { orgId: OrgId }): Promise<void> {
  const own = eq(directoryEntries.org_id, orgId);
  const entries = tx.select({ rowid: directoryEntries.rowid }).from(directoryEntries).where(own);
  await tx.delete(directoryWords).where(inArray(directoryWords.entry, entries));
  await tx.delete(directoryEntries).where(own);
}
