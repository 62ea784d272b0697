import { and, eq, gte, isNull, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { addVerb, removeVerb } from "../../../storage/verbs.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { planningAbsences, planningHours } from "../planning.tables.ts";
import { absenceEntity, absenceFor, hoursEntity } from "./hours.queries.ts";
import type { NewAbsence, NewHours } from "./hours.schemas.ts";

const permission = "planning:manage";

/** A booking reads all of them: more than a timetable needs would make it slow. */
const most = 200;

/**
 * @param counts which of these count against the limit; all by default
 * @throws VALIDATION_ERROR no such person; CONFLICT they are archived, or have as many of these as are allowed
 */
async function requireRoomFor(
  tx: Tx<"tenant">,
  table: SQLiteTable & { person_id: SQLiteColumn },
  person_id: PersonId | null,
  counts?: SQL,
): Promise<void> {
  const person = person_id === null ? null : await findPersonRow(tx, person_id);
  if (person === undefined) throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
  if (person?.status === "archived") throw conflict("person_archived", "The person is archived.");
  const isTheirs = person_id === null ? isNull(table.person_id) : eq(table.person_id, person_id);
  if ((await tx.$count(table, and(isTheirs, counts))) >= most)
    throw conflict("limit_reached", `There are at most ${most} of these for one person, or for the school.`, {
      max: most,
    });
}

export const addHours = addVerb(hoursEntity, {
  permission,
  async row(tx, fresh, input: NewHours) {
    await requireRoomFor(tx, planningHours, input.person_id);
    return { ...fresh, ...input };
  },
});
export const removeHours = removeVerb(hoursEntity, { permission });

export const addAbsence = addVerb(absenceEntity, {
  permission,
  async row(tx, fresh, input: NewAbsence) {
    const isToCome = gte(planningAbsences.until_on, toLegalDate(await today(tx, tx.now)));
    await requireRoomFor(tx, planningAbsences, input.person_id, isToCome);
    return { ...fresh, ...input };
  },
});
const remove = removeVerb(absenceEntity, { permission });

/** Returns the absence as it was, as the actor sees it. */
export async function removeAbsence(context: InOrganization, ref: Parameters<typeof remove>[1]) {
  const removed = await remove(context, ref);
  return context.tenant.read((reader) => absenceFor(reader, context.actor, removed));
}
