import { and, eq, inArray, sql } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import type { Tx } from "../../storage/store.ts";
import { applicationMoves, applications, opportunities } from "./marketplace.tables.ts";
import { opportunityWords } from "./opportunities/opportunities.queries.ts";

/** Deletes what an organization received from a person whom it erases, and replaces them in its other texts. */
export async function eraseFromMarketplace(tx: Tx<"control">, orgId: OrgId, subject: DataSubject): Promise<void> {
  const isReceived = eq(applications.org_id, orgId);
  await tx.delete(applications).where(and(isReceived, inArray(applications.user_id, [...subject.userIds])));
  await eraseFromTexts(tx, applications, ["message"], subject, { where: isReceived });
  const ofReceived = sql`${applicationMoves.application_id} in (select ${applications.id} from ${applications}
    where ${isReceived})`;
  await eraseFromTexts(tx, applicationMoves, ["note"], subject, { where: ofReceived });
  const where = eq(opportunities.org_id, orgId);
  const texts = ["title", "description", "place", "compensation", "requirements"] as const;
  await eraseFromTexts(tx, opportunities, texts, subject, { where, words: opportunityWords });
}
