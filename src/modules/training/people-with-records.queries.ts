/** People with what a rule about them needs: their records, and what they are or were trained for. */
import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { PersonId } from "../../core/ids.ts";
import { onceEach, onceFor } from "../../core/once.ts";
import { remembered } from "../../core/remembered.ts";
import { dateField, idOf } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { field, jsonList, part, type Resource } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { timeZoneOf } from "../../storage/today.ts";
import { storedOfPeople } from "../compliance/records/records.queries.ts";
import { type HeldRecord, heldFromValuesIn, type StoredValues } from "../compliance/records/records.shapes.ts";
import { people } from "../people/people.tables.ts";
import { trainingEnrollments as enrollments, trainingPrograms as programs } from "./training.tables.ts";

const words = z.string();

const supervisors = alias(people, "supervisors");

/** An enrollment, with the kind of its programme. */
const training = part({
  enrollment_id: field(idOf<"enrollment">(), enrollments.id),
  kind: field(words, programs.kind),
  ...columns(enrollments, { started_on: dateField, ended_on: dateField.nullable() }),
});
export type Training = Resource<typeof training>;

const personPart = part({
  ...columns(people, {
    id: idOf<"person">(),
    name: words,
    date_of_birth: dateField.nullable(),
    restricted_instructor: z.boolean(),
  }),
  supervisor: field(
    words.nullable(),
    sql`(select ${supervisors.name} from ${people} as supervisors where ${supervisors.id} = ${people.supervisor_id})`,
  ),
  trainings: jsonList(
    training.schema,
    training.json,
    sql`from ${enrollments} cross join ${programs} on ${programs.id} = ${enrollments.program_id}
      where ${enrollments.student_id} = ${people.id}`,
  ),
});

type StoredPerson = Resource<typeof personPart> & { records: readonly StoredValues[] };
export type PersonWithRecords = Resource<typeof personPart> & { records: readonly HeldRecord[] };

const peopleStatement = sql<[PersonId, string]>`select ${people.id}, ${personPart.json} from ${people}
  where ${people.id} in (select value from json_each(${sql.placeholder("ids")}))`;

/** Returns people with all their records, without the ids that name nobody. */
export async function peopleWithRecords(
  reader: Reader<"tenant">,
  ids: readonly PersonId[],
): Promise<PersonWithRecords[]> {
  const [stored, time_zone] = await Promise.all([storedPeople(reader, ids), timeZoneOf(reader)]);
  return stored.map(withRecordsIn(time_zone));
}

/** As `peopleWithRecords`, for a caller who reads the organization's time zone at the same time. */
export async function storedPeople(reader: Reader<"tenant">, ids: readonly PersonId[]): Promise<StoredPerson[]> {
  const [found, records] = await Promise.all([
    reader.rows(peopleStatement, { ids: JSON.stringify(ids) }),
    storedOfPeople(reader, ids),
  ]);
  return found.map(([id, person]) => parsed(`${person}\n${records.get(id) ?? "[]"}`));
}

/** The same object as long as nothing about the person has changed: what is known of it (`once.ts`) needs not be found anew. */
const parsed = remembered(2 ** 22, (text): StoredPerson => {
  const [person = "", records = ""] = text.split("\n");
  return { ...JSON.parse(person), records: JSON.parse(records) };
});

export const withRecordsIn = onceEach((time_zone: string) =>
  onceFor(
    (person: StoredPerson): PersonWithRecords => ({
      ...person,
      records: person.records.map(heldFromValuesIn(time_zone)),
    }),
  ),
);
