/** What a tenant publishes of a subject at this moment. */
import { and, eq } from "drizzle-orm";
import type { AircraftId, OrgId, PersonId } from "../../../core/ids.ts";
import { organizations } from "../../../identity/identity.tables.ts";
import type { Reader, Store } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { columnsOf, type EntryRef } from "../entry-types.ts";
import { consent, type ProfileRow, profileRow } from "../profiles/profile-row.queries.ts";
import { directoryProfiles as table } from "../profiles.tables.ts";
import type { Published } from "./put-entry.ts";

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
