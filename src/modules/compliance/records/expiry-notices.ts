/**
 * Announces records of people that expire: a medical 60, 30 and 14 days before, as an event and by mail; others by mail, as
 * many days before as their type warns, and when they have expired.
 */
import { eq, sql } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { emit } from "../../../events/emit.ts";
import { audit } from "../../../storage/audit.ts";
import type { By } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { queueMails } from "../../mails/queue-mails.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { PersonRow } from "../../people/person-rules.ts";
import { medicalExpiring, noticeDays } from "../compliance.events.ts";
import { complianceTypes, type RecordTypeId, complianceRecords as table } from "../compliance.tables.ts";
import { typeByKey } from "../types/types.queries.ts";
import { hasEnded, type RecordRow } from "./records.queries.ts";

/** Returns the days before the expiry of a record of this type on which it has notices. -1: the first day after it. */
async function noticeDaysOf(reader: Reader<"tenant">, type: string): Promise<readonly number[]> {
  if (type === "medical") return noticeDays;
  return [(await typeByKey(reader, type))?.warning_days ?? 0, -1];
}

/** Returns the day of the first notice of a new record: none for one of an aircraft, that is unlimited or has expired. */
export async function firstNoticeOn(
  reader: Reader<"tenant">,
  { person_id, type, valid_until }: Pick<RecordRow, "person_id" | "type" | "valid_until">,
  date: Temporal.PlainDate,
): Promise<LegalDate | null> {
  if (person_id === null || valid_until === null || valid_until < toLegalDate(date)) return null;
  const [first = 0] = await noticeDaysOf(reader, type);
  return noticeOn(valid_until, first);
}

/**
 * Returns the day of the next notice of a record that counts again: not of one that was given before it was superseded.
 *
 * @param superseded_on null: it had never counted
 */
export async function noticeAgainOn(
  reader: Reader<"tenant">,
  record: Pick<RecordRow, "person_id" | "type" | "valid_until">,
  { superseded_on, date }: { superseded_on: Temporal.PlainDate | null; date: Temporal.PlainDate },
): Promise<LegalDate | null> {
  const { person_id, type, valid_until } = record;
  if (superseded_on === null) return firstNoticeOn(reader, record, date);
  if (person_id === null || valid_until === null || valid_until < toLegalDate(date)) return null;
  const days = (await noticeDaysOf(reader, type)).map((before) => noticeOn(valid_until, before));
  return days.find((day) => day > toLegalDate(superseded_on)) ?? null;
}

const noticeOn = (validUntil: LegalDate, days: number) =>
  toLegalDate(Temporal.PlainDate.from(validUntil).subtract({ days }));

/** Moves the first notices that are still to come, after the type's days of warning have changed. */
export async function moveNotices(tx: Tx<"tenant">, typeId: RecordTypeId): Promise<void> {
  await tx.run(sql`
    update ${table} set next_notice_on = date(valid_until, '-' || type.warning_days || ' days')
    from ${complianceTypes} as type
    where type.id = ${typeId} and ${table}.type = type.key and type.key <> 'medical'
      and next_notice_on is not null and next_notice_on <= valid_until`);
}

/** Gives the notice that is due. Of several at once, only the nearest to the expiry. */
export async function announceExpiry(
  tx: Tx<"tenant">,
  by: By,
  record: RecordRow,
  date: Temporal.PlainDate,
): Promise<void> {
  const { id, person_id, type, valid_until } = record;
  const person = person_id && (await findPersonRow(tx, person_id));
  if (!person || valid_until === null) throw new Error("Only a person's record with an expiry has notices.");
  const left = date.until(Temporal.PlainDate.from(valid_until), { largestUnit: "days" }).days;
  const following = (await noticeDaysOf(tx, type)).find((days) => days < left);
  await tx
    .update(table)
    .set({ next_notice_on: following === undefined ? null : noticeOn(valid_until, following) })
    .where(eq(table.id, id));
  if (person.status === "archived" || (await hasEnded(tx, { id, person_id: person.id }, toLegalDate(date)))) return;
  if (type === "medical") await emitMedical(tx, by, { person, record: { ...record, valid_until }, left });
  await queueMails(tx, {
    kind: type === "medical" ? "medical_expiring" : "compliance_expiring",
    alert: left < 0 ? "expired" : "expiring",
    subject_id: id,
    person_id: person.id,
  });
}

interface Expiring {
  person: Pick<PersonRow, "id" | "name">;
  record: RecordRow & { valid_until: LegalDate };
  left: number;
}

async function emitMedical(
  tx: Tx<"tenant">,
  by: By,
  { person: { id: person_id, name }, record: { id, level, valid_until }, left }: Expiring,
): Promise<void> {
  if (level === null) throw new Error("A medical has a level.");
  const threshold = noticeDays.findLast((days) => left <= days) ?? noticeDays[0];
  const notice = { threshold_days: threshold, days_left: left };
  await audit(tx, by, "compliance_record.expiry_announced", {
    subject: { kind: "compliance_record", id },
    after: notice,
  });
  await emit(tx, medicalExpiring, {
    person: { id: person_id, name },
    record: { id, level, valid_until },
    ...notice,
  });
}
