import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { descending, listOf } from "../../storage/page.ts";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { today } from "../../storage/today.ts";
import { complianceEvaluations, complianceRecords } from "./compliance.tables.ts";
import { allEvaluations } from "./evaluations/evaluations.queries.ts";
import { record } from "./records/records.shapes.ts";
import { recordKeeping } from "./rules/rules.ts";

const listRecords = listOf(record, { from: complianceRecords, orderBy: descending(record, "id") });

export const compliancePersonal: PersonalData = {
  lists: {
    compliance_records: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listRecords(reader, { ...page, person_id: personId })),
    compliance_evaluations: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => allEvaluations(reader, { ...page, person_id: personId })),
  },
  /** An ATO keeps the records of its people from when they were last changed. */
  async kept(reader, { personId }, kind) {
    if (kind !== "ato") return undefined;
    const [row] = await reader
      .select({ at: sql<Instant | null>`max(${complianceRecords.updated_at})` })
      .from(complianceRecords)
      .where(eq(complianceRecords.person_id, personId));
    if (!row?.at) return undefined;
    const { title, years, source } = recordKeeping.ato;
    return { until: toLegalDate((await today(reader, row.at)).add({ years })), what: title, article: source.article };
  },
  async erase(tx, subject) {
    const { personId } = subject;
    await tx.delete(complianceEvaluations).where(eq(complianceEvaluations.person_id, personId));
    await tx.delete(complianceRecords).where(eq(complianceRecords.person_id, personId));
    await eraseFromTexts(tx, complianceRecords, ["issued_by", "remarks", "withdrawal_reason"], subject);
  },
};
