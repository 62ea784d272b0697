import { and, eq, inArray } from "drizzle-orm";
import type { OrgId, UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { applications } from "../marketplace.tables.ts";

/** Deletes what an organization received from these accounts, with its history: it erases their person. */
export async function removeApplications(tx: Tx<"control">, orgId: OrgId, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.delete(applications).where(and(eq(applications.org_id, orgId), inArray(applications.user_id, [...userIds])));
}
