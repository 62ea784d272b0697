/** Announces medicals that expire, 60, 30 and 14 days before. */
import { eq } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { emit } from "../../../events/emit.ts";
import { audit } from "../../../storage/audit.ts";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { medicalExpiring, noticeDays } from "../compliance.events.ts";
import { complianceRecords as table } from "../compliance.tables.ts";
import type { RecordRow } from "./records.queries.ts";

/** Returns the day of the first notice of a new record: none for a medical that is unlimited or has expired. */
export function firstNoticeOn(
  { type, valid_until }: Pick<RecordRow, "type" | "valid_until">,
  date: Temporal.PlainDate,
): LegalDate | null {
  if (type !== "medical" || valid_until === null || valid_until < toLegalDate(date)) return null;
  return noticeOn(valid_until, noticeDays[0]);
}

const noticeOn = (validUntil: LegalDate, days: number) =>
  toLegalDate(Temporal.PlainDate.from(validUntil).subtract({ days }));

/** Emits the notice of a medical that is due. Of several at once, only the nearest to the expiry. */
export async function announceMedical(
  tx: Tx<"tenant">,
  by: By,
  record: RecordRow,
  date: Temporal.PlainDate,
): Promise<void> {
  const { id, person_id, level, valid_until } = record;
  const person = person_id && (await findPersonRow(tx, person_id));
  if (!person || valid_until === null) throw new Error("Only a person's medical with an expiry has notices.");
  const left = date.until(Temporal.PlainDate.from(valid_until), { largestUnit: "days" }).days;
  const threshold = noticeDays.findLast((days) => left <= days) ?? noticeDays[0];
  const following = noticeDays.find((days) => days < threshold);
  await tx
    .update(table)
    .set({ next_notice_on: following === undefined ? null : noticeOn(valid_until, following) })
    .where(eq(table.id, id));
  if (person.status === "archived") return;
  const notice = { threshold_days: threshold, days_left: left };
  await audit(tx, by, "compliance_record.expiry_announced", {
    subject: { kind: "compliance_record", id },
    after: notice,
  });
  await emit(tx, medicalExpiring, {
    person: { id: person.id, name: person.name },
    record: { id, class: (level ?? "").replace("class_", ""), valid_until },
    ...notice,
  });
}
