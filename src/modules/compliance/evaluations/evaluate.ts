/** Evaluates people and aircraft, and keeps the results. Postings: they run inside the transaction of a change. */
import { eq } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { type AircraftId, newIdAt, type PersonId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { complianceEvaluations as table } from "../compliance.tables.ts";
import { holderOf } from "../records/records.queries.ts";
import { warningDays } from "../types/types.queries.ts";
import { compare } from "./compare.ts";
import { evaluationOf, isOf, requirementsFor, type SubjectRef } from "./evaluations.queries.ts";
import { groundByRecords } from "./ground-by-records.ts";

type TenantTx = Tx<"tenant">;

/** Compares the subject's records with what is required, and stores the result. Archived subjects have none. */
async function evaluate(tx: TenantTx, subject: SubjectRef): Promise<void> {
  const types = await typesOf(tx, subject);
  if (types === undefined) return void (await tx.delete(table).where(isOf(table, subject)));
  const [requirements, holder] = [await requirementsFor(tx, types), await holderOf(tx, subject)];
  const compared = compare(requirements, holder, await warningDays(tx), await today(tx, tx.now));
  const result = { ...compared, evaluated_at: tx.now };
  const known = await evaluationOf(tx, subject);
  if (known) await tx.update(table).set(result).where(eq(table.id, known.id));
  else await tx.insert(table).values({ id: newIdAt<"evaluation">(tx.now), ...subject, ...result });
}

/** Evaluates a subject, and grounds an aircraft or lifts that. For changes of records, and for the days that pass. */
export async function reevaluateOne(tx: TenantTx, by: By, subject: SubjectRef): Promise<void> {
  await evaluate(tx, subject);
  if (subject.aircraft_id !== null) await groundByRecords(tx, by, subject.aircraft_id);
}

/** For the verbs of people: their types decide what is required. */
export const evaluatePerson = (tx: TenantTx, person_id: PersonId) => evaluate(tx, { person_id, aircraft_id: null });

export const evaluateAircraft = (tx: TenantTx, aircraft_id: AircraftId) =>
  evaluate(tx, { person_id: null, aircraft_id });

/** Returns what the requirements for a subject apply to; `undefined` if it is archived. */
async function typesOf(tx: TenantTx, { person_id, aircraft_id }: SubjectRef) {
  if (person_id === null) {
    const aircraft = await findAircraftRow(tx, aircraft_id);
    if (aircraft === undefined || aircraft.status === "archived") return undefined;
    return [aircraft.class === "FSTD" ? "simulator" : "aircraft"] as const;
  }
  const person = await findPersonRow(tx, person_id);
  return person === undefined || person.status === "archived" ? undefined : person.types;
}

/** Before every date of evaluation: due at once. */
const NOW = "1970-01-01" as LegalDate;

/** Declares all evaluations out of date, because requirements or types have changed. The job makes them anew. */
export async function reevaluateAll(tx: TenantTx): Promise<void> {
  await tx.update(table).set({ changes_on: NOW });
}
