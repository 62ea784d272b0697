import { and, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type MemberActor, permits } from "../../../core/actor.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { notFound, notPermitted } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { people } from "../../people/people.tables.ts";
import { type RecordId, complianceRecords as table } from "../compliance.tables.ts";
import type { SubjectRef } from "../evaluations/evaluations.queries.ts";
import { type Holder, notWithdrawnOn } from "./held.ts";
import type { RecordFilter } from "./records.schemas.ts";
import {
  type HeldRecord,
  heldBy,
  heldFromValuesIn,
  heldIn,
  record,
  type StoredValues,
  storedRecord,
  storedValues,
} from "./records.shapes.ts";

type TenantReader = Reader<"tenant">;
export type RecordRow = typeof table.$inferSelect;

/** Its reads do not check the actor. */
export const recordEntity = entityOf("compliance_record", { table, shape: record, path: { recordId: table.id } });

/** Returns all records of a person or an aircraft, but those that were entered by mistake. */
export async function heldRecords(reader: TenantReader, { person_id, aircraft_id }: SubjectRef): Promise<HeldRecord[]> {
  const [subject, id] = person_id === null ? [table.aircraft_id, aircraft_id] : [table.person_id, person_id];
  const [row] = await reader.values<[string]>(sql`select ${heldBy(subject, sql.param(id))}`);
  const stored = z.array(storedRecord.schema).parse(JSON.parse(row?.[0] ?? "[]"));
  return stored.map(heldIn(await timeZoneOf(reader)));
}

/** A query for each person: a join with `group by` would sort all records first, which takes a third longer. */
const ofPeople = sql<[PersonId, string]>`
  select wanted.value, (select json_group_array(${storedValues}) from ${table}
    where ${table.person_id} = wanted.value and not ${table.entered_by_mistake})
  from json_each(${sql.placeholder("ids")}) as wanted`;

/** Returns the JSON of the records of people (`StoredValues`), but those that were entered by mistake. */
export const storedOfPeople = async (
  reader: TenantReader,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, string>> => new Map(await reader.rows(ofPeople, { ids: JSON.stringify(ids) }));

const births = sql<[PersonId, LegalDate | null]>`select ${people.id}, ${people.date_of_birth} from ${people}
  where ${people.id} in (select value from json_each(${sql.placeholder("ids")}))`;

/** As `holderOf`, of many people. */
export async function holdersOf(
  reader: TenantReader,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, Holder>> {
  const [rows, stored, time_zone] = await Promise.all([
    reader.rows(births, { ids: JSON.stringify(ids) }),
    storedOfPeople(reader, ids),
    timeZoneOf(reader),
  ]);
  const held = heldFromValuesIn(time_zone);
  const recordsOf = (id: PersonId): StoredValues[] => JSON.parse(stored.get(id) ?? "[]");
  return new Map(rows.map(([id, date_of_birth]) => [id, { date_of_birth, records: recordsOf(id).map(held) }]));
}

/** Returns a person with their records, or an aircraft. */
export async function holderOf(reader: TenantReader, subject: SubjectRef): Promise<Holder> {
  const person = subject.person_id === null ? undefined : await findPersonRow(reader, subject.person_id);
  return { records: await heldRecords(reader, subject), date_of_birth: person?.date_of_birth ?? null };
}

/** Whether a record has ended before its last day: it was withdrawn by the day, or the withdrawal of another has ended it. */
export async function hasEnded(
  reader: TenantReader,
  { id, person_id }: { id: RecordId; person_id: PersonId },
  date: LegalDate,
): Promise<boolean> {
  const records = await heldRecords(reader, { person_id, aircraft_id: null });
  return !notWithdrawnOn(records, date).some((one) => one.id === id);
}

const newestFirst = descending(record, "id");

/** Returns JSON text, the newest entry first. */
export function listRecords(
  reader: TenantReader,
  actor: MemberActor,
  { person_id, aircraft_id, type, status, ...page }: RecordFilter & PageRequest,
) {
  const ofAircraft = aircraft_id === undefined ? undefined : eq(table.aircraft_id, aircraft_id);
  const isOf = person_id ? eq(table.person_id, person_id) : ofAircraft;
  // A subject has few records: its index is the right one. The `+` keeps SQLite from using another for these.
  const [typeOf, statusOf] = isOf ? [sql`+${table.type}`, sql`+${table.status}`] : [table.type, table.status];
  const where = and(
    isOf,
    person_id === undefined ? undefined : ofAircraft,
    type === undefined ? undefined : sql`${typeOf} = ${type}`,
    status === undefined ? undefined : sql`${statusOf} = ${status}`,
    visibleTo(actor),
  );
  return pageBody(reader, record, { ...page, from: table, where, orderBy: newestFirst });
}

/** @throws NOT_FOUND no such record, or the actor may not see it */
export const findRecord = (reader: TenantReader, id: RecordId, actor: MemberActor) =>
  resourceJson(reader, record, { from: table, where: and(eq(table.id, id), visibleTo(actor)) });

/** @throws NOT_FOUND no such record, or the actor may not see it */
export async function requireRecord(reader: TenantReader, id: RecordId, actor: MemberActor): Promise<RecordRow> {
  const [row] = await reader
    .select()
    .from(table)
    .where(and(eq(table.id, id), visibleTo(actor)));
  if (row === undefined) throw notFound();
  return row;
}

/** Medicals are health data: of other people, only members with `medicals:read` see them. @throws FORBIDDEN */
export function visibleTo(actor: MemberActor): SQL | undefined {
  const reads = permits(actor, "compliance:read");
  if (reads && permits(actor, "medicals:read")) return undefined;
  const parts = [
    reads && ne(table.type, "medical"),
    permits(actor, "compliance:read_aircraft") && isNotNull(table.aircraft_id),
    permits(actor, "compliance:read_own") &&
      sql`${table.person_id} in (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`,
  ].filter((part) => part !== false);
  if (parts.length === 0) throw notPermitted();
  return or(...parts);
}
