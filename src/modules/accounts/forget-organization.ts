import { eq } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { sessions } from "./accounts.tables.ts";
import { mfaChallenges } from "./mfa/mfa.tables.ts";

/** Posting: sessions and sign-ins that were begun for an organization go on without one, since it is removed. */
export async function forgetOrganization(tx: Tx<"control">, orgId: OrgId): Promise<void> {
  await tx.update(sessions).set({ org_id: null }).where(eq(sessions.org_id, orgId));
  await tx.update(mfaChallenges).set({ org_id: null }).where(eq(mfaChallenges.org_id, orgId));
}
