/** Whether a pack is of one state: its parts are read one after the other, while others write. */
import { and, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { lookUp } from "../../../storage/lookup.ts";
import { auditLog } from "../../../storage/shared.tables.ts";
import type { Reader } from "../../../storage/store.ts";
import type { PackRow } from "./packs.queries.ts";

/** The kinds of records that are in a pack. Every change to one has an audit row. */
const kinds = {
  person: [
    ...["person", "flight", "compliance_record", "logbook_opening_totals", "attachment"],
    ...["enrollment", "lesson_record", "training_signoff", "ground_session", "exam"],
  ],
  organization: [
    ...["person", "aircraft", "compliance_record", "compliance_type", "compliance_requirement", "attachment"],
    ...["defect", "work_order", "maintenance_item"],
  ],
};

const last = lookUp({ seq: auditLog.seq }, sql`from ${auditLog} order by ${auditLog.seq} desc limit 1`);

/** Returns the state of the records now, to be compared later. */
export const stateNow = async (reader: Reader<"tenant">): Promise<number> => (await last(reader, {}))?.seq ?? 0;

/** Returns whether something was changed that a pack has. Reads only the changes since then. */
export async function isChangedSince(
  reader: Reader<"tenant">,
  state: number,
  { person_id }: Pick<PackRow, "person_id">,
): Promise<boolean> {
  const { seq, subject_kind, payload } = auditLog;
  const isOfPack =
    person_id === null
      ? inArray(subject_kind, kinds.organization)
      : and(
          inArray(subject_kind, kinds.person),
          // The payload has the resource, with the ids of its people. That of an attachment has only its record's.
          or(isNull(payload), sql`${subject_kind} = 'attachment'`, sql`instr(${payload}, ${person_id}) > 0`),
        );
  const rows = await reader
    .select({ seq })
    .from(auditLog)
    .where(and(gt(seq, state), isOfPack))
    .limit(1);
  return rows.length > 0;
}
