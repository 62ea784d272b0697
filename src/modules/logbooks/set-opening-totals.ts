import { authorize } from "../../core/actor.ts";
import { toLegalDate } from "../../core/dates.ts";
import { conflict, type Issue, invalid, throwIfAny } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeRow } from "../../storage/entity.ts";
import { today } from "../../storage/today.ts";
import { findPerson } from "../people/people.queries.ts";
import { findOpeningTotals } from "./logbook.queries.ts";
import type { OpeningTotals } from "./logbook.shapes.ts";
import type { OpeningTotalsChange, Sum } from "./logbooks.schemas.ts";
import { logbookOpenings } from "./logbooks.tables.ts";

const entity = { kind: "logbook_opening_totals", table: logbookOpenings, read: findOpeningTotals };

/**
 * Sets what a person has flown before the first flight of their logbook.
 *
 * @throws NOT_FOUND; FORBIDDEN it is neither the actor, nor do they manage people
 * @throws CONFLICT the person is archived; VALIDATION_ERROR a part is greater than the whole, or the date is in the future
 */
export async function setOpeningTotals(
  context: InOrganization,
  { personId: id, change }: { personId: PersonId; change: OpeningTotalsChange },
): Promise<JsonOf<OpeningTotals>> {
  const { actor, tenant } = context;
  return tenant.write(async (tx) => {
    const { value: person } = await findPerson(tx, id, actor);
    if (person.user_id !== actor.userId) authorize(actor, "people:manage");
    if (person.status === "archived") throw conflict("person_archived", "The person is archived.");
    if (change.as_of != null && change.as_of > toLegalDate(await today(tx, tx.now)))
      throw invalid({ path: "as_of", code: "in_future", message: "Must not be after today." });
    const { value: before } = await findOpeningTotals(tx, id);
    checkParts({ ...before, ...change });
    const stamps = { created_at: tx.now, updated_at: tx.now };
    await tx
      .insert(logbookOpenings)
      .values({ id, ...stamps })
      .onConflictDoNothing();
    const set = { ...change, updated_at: tx.now };
    return changeRow(tx, context, entity, { id, action: "logbook_opening_totals.updated", set });
  });
}

const parts = [
  ...["single_pilot_se_minutes", "single_pilot_me_minutes", "multi_pilot_minutes", "night_minutes", "ifr_minutes"],
  ...["pic_minutes", "co_pilot_minutes", "dual_minutes", "instructor_minutes"],
] as Sum[];

/** @throws VALIDATION_ERROR */
function checkParts(totals: Record<Sum, number>): void {
  const issues = parts.flatMap((path): Issue[] =>
    totals[path] > totals.total_minutes
      ? [{ path, code: "impossible", message: "Must not exceed total_minutes." }]
      : [],
  );
  const { single_pilot_se_minutes: se, single_pilot_me_minutes: me, multi_pilot_minutes: multi } = totals;
  if (issues.length === 0 && se + me + multi > totals.total_minutes) {
    const message = "Must not be less than the sum of the single-pilot and multi-pilot time.";
    issues.push({ path: "total_minutes", code: "impossible", message });
  }
  throwIfAny(issues);
}
