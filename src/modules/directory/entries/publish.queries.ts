/** What a tenant publishes of a subject at this moment. */
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AircraftId, OrgId, PersonId } from "../../../core/ids.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader, Store } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { organizations } from "../../organizations/organizations.tables.ts";
import { formerLinks, people } from "../../people/people.tables.ts";
import { directoryProfiles as table } from "../directory.tables.ts";
import { columnsOf, type EntryRef } from "../entry-types.ts";
import type { Published } from "./put-entry.ts";

export type ProfileRow = typeof table.$inferSelect;

const profile = lookUp(
  getTableColumns(table),
  sql`from ${table} where ${table.type} = ${sql.placeholder("type")} and ${table.subject_id} = ${sql.placeholder("id")}`,
);

/** Returns the profile of a subject, if it has one. */
export const profileRow = (reader: Reader<"tenant">, { type, id }: EntryRef): Promise<ProfileRow | undefined> =>
  profile(reader, { type, id });

/** Returns only the chosen fields; `undefined` if the subject is not published. */
export async function publishedBy(
  tenant: Pick<Store<"tenant">, "read">,
  control: Reader<"control">,
  orgId: OrgId,
  ref: EntryRef,
): Promise<Published | undefined> {
  const row = await tenant.read((reader) => profileRow(reader, ref));
  if (!row?.published) return undefined;
  const facts =
    ref.type === "schools"
      ? await factsOfSchool(control, orgId)
      : await tenant.read((reader) =>
          ref.type === "aircraft" ? factsOfAircraft(reader, ref.id) : factsOfInstructor(reader, row),
        );
  if (facts === undefined) return undefined;
  const all: Published = { ...ownOf(row), ...facts };
  const chosen = new Set(row.fields.flatMap(columnsOf));
  return { ...Object.fromEntries(Object.entries(all).filter(([name]) => chosen.has(name))), name: facts.name };
}

function ownOf(row: ProfileRow) {
  const { headline, description, website, email, phone, languages, place, country, latitude, longitude } = row;
  return { headline, description, website, email, phone, languages, place, country, latitude, longitude };
}

async function factsOfSchool(reader: Reader<"control">, orgId: OrgId): Promise<Published | undefined> {
  const { name, kind, approval_number, authority } = organizations;
  const [row] = await reader
    .select({ name, kind, approval_number, authority })
    .from(organizations)
    .where(eq(organizations.id, orgId));
  return row;
}

/**
 * Whether an instructor needs to consent, gave the consent or did not. Those who have or had an account need to, with the
 * present one: so a school that unlinks an account does not get around its consent.
 */
export const consent = sql<"not_needed" | "given" | "missing">`(
  select case when ${people.user_id} = ${table.consented_by} then 'given'
    when ${people.user_id} is not null or exists (select 1 from ${formerLinks}
      where ${formerLinks.person_id} = ${people.id} and ${formerLinks.user_id} is not null) then 'missing'
    else 'not_needed' end
  from ${people} where ${people.id} = ${table.subject_id})`;

async function factsOfInstructor(reader: Reader<"tenant">, row: ProfileRow): Promise<Published | undefined> {
  const { name, ratings, types } = people;
  const [person] = await reader
    .select({ name, ratings, types, consent })
    .from(people)
    .innerJoin(table, eq(table.id, row.id))
    .where(and(eq(people.id, row.subject_id as PersonId), eq(people.status, "active")));
  if (!person?.types.includes("instructor") || person.consent === "missing") return undefined;
  return { name: person.name, ratings: person.ratings };
}

async function factsOfAircraft(reader: Reader<"tenant">, id: string): Promise<Published | undefined> {
  const { model: name, status, registration, icao_type, class: kind, seats, hourly_rate_minor, currency } = aircraft;
  const [row] = await reader
    .select({ name, status, registration, icao_type, class: kind, seats, hourly_rate_minor, currency })
    .from(aircraft)
    .where(eq(aircraft.id, id as AircraftId));
  if (row === undefined || row.status === "archived") return undefined;
  const { status: _, ...facts } = row;
  return facts;
}
