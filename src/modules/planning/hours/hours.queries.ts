import { eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { PersonId } from "../../../core/ids.ts";
import { JsonOf } from "../../../core/json-of.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, listOf, type PageRequest, pageBody } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { seesAllFindings } from "../../rules/who-sees-findings.ts";
import { planningAbsences, planningHours } from "../planning.tables.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import { type Absence, absenceShape, hoursShape } from "./hours.schemas.ts";

export const hoursEntity = entityOf("planning_hours", {
  table: planningHours,
  shape: hoursShape,
  path: { hoursId: planningHours.id },
});
export const listHours = listOf(hoursShape, { from: planningHours, orderBy: ascending(hoursShape, "id") });

export const absenceEntity = entityOf("planning_absence", {
  table: planningAbsences,
  shape: absenceShape,
  path: { absenceId: planningAbsences.id },
});
const newestFirst = descending(absenceShape, "id");
export const listAbsences = listOf(absenceShape, { from: planningAbsences, orderBy: newestFirst });

/** The reason may be an illness: members see it of themselves, of the school, and if they may see medicals, of all. */
export function listAbsencesFor(
  reader: Reader<"tenant">,
  actor: MemberActor,
  query: PageRequest & { person_id?: PersonId | undefined },
): Promise<Bytes> {
  if (seesAllFindings(actor)) return listAbsences(reader, query);
  const { person_id, ...page } = query;
  const where = person_id && eq(planningAbsences.person_id, person_id);
  return pageBody(reader, withReasonsFor(actor), { ...page, from: planningAbsences, where, orderBy: newestFirst });
}

const withReasonsFor = ({ userId }: MemberActor): Pick<typeof absenceShape, "json"> => {
  const isOwn = sql`${planningAbsences.person_id} in (select ${people.id} from ${people} where ${people.user_id} = ${userId})`;
  const seen = sql`iif(${planningAbsences.person_id} is null or ${isOwn}, ${planningAbsences.reason}, null)`;
  return { json: sql`json_set(${absenceShape.json}, '$.reason', ${seen})` };
};

/** Returns an absence as the actor sees it: as in the list. */
export async function absenceFor(
  reader: Reader<"tenant">,
  actor: MemberActor,
  read: JsonOf<Absence>,
): Promise<JsonOf<Absence>> {
  const { value } = read;
  const isSeen =
    seesAllFindings(actor) || value.person_id === null || value.person_id === (await ownPerson(reader, actor));
  return isSeen ? read : new JsonOf(JSON.stringify({ ...value, reason: null }));
}
