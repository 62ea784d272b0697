/** Announces medicals that expire, 60, 30 and 14 days before. */
import { eq, lte } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { emit } from "../../../events/emit.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context, TenantContext } from "../../../storage/context.ts";
import { inBatches } from "../../../storage/in-batches.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { startOf, today } from "../../../storage/today.ts";
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

/** Returns when the next notice is due: the start of its day where the organization is. */
export async function nextNotice(reader: Reader<"tenant">): Promise<Instant | null> {
  const [first] = await reader
    .select({ on: table.next_notice_on })
    .from(table)
    .where(lte(table.next_notice_on, "9999-12-31" as LegalDate))
    .orderBy(table.next_notice_on)
    .limit(1);
  return first?.on ? startOf(reader, Temporal.PlainDate.from(first.on)) : null;
}

/** Emits the notices that are due. Of several at once, only the nearest to the expiry. @returns how many */
export const announceMedicals = (context: TenantContext): Promise<number> =>
  inBatches(context.tenant, {
    next: async (reader) => dueOn(reader, toLegalDate(await today(reader, context.clock.now()))),
    async work(tx, rows) {
      const date = await today(tx, tx.now);
      for (const row of rows) await announce(tx, context, row, date);
      return rows.length;
    },
  });

const dueOn = (reader: Reader<"tenant">, date: LegalDate): Promise<RecordRow[]> =>
  reader.select().from(table).where(lte(table.next_notice_on, date)).limit(100);

async function announce(tx: Tx<"tenant">, by: Context, record: RecordRow, date: Temporal.PlainDate): Promise<void> {
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
