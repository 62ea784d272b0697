/** The people and aircraft to whom requirements of some roles apply, with what they hold. */
import { and, ne } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { isOneOf, type PersonType, people } from "../../people/people.tables.ts";
import type { ComplianceRole } from "../compliance.tables.ts";
import type { SubjectRef } from "../evaluations/evaluations.queries.ts";
import type { Holder } from "../records/held.ts";
import { heldRecords, holdersOf } from "../records/records.queries.ts";

type TenantReader = Reader<"tenant">;

type Subject = SubjectRef & {
  /** Of the person, or the registration. */
  name: string;
  /** What the requirements for it apply to. */
  roles: readonly string[];
  holder: Holder;
};

/** People whose records are read by one statement. */
const atOnce = 500;

/** Returns those who are not archived, each once: by name, people in pieces. */
export async function* subjectsIn(reader: TenantReader, roles: ReadonlySet<ComplianceRole>): AsyncGenerator<Subject> {
  const types = (["student", "pilot", "instructor"] as const).filter((type) => roles.has(type));
  if (types.length > 0) yield* peopleOf(reader, types);
  if (roles.has("aircraft") || roles.has("simulator")) yield* aircraftOf(reader, roles);
}

async function* peopleOf(reader: TenantReader, types: readonly PersonType[]): AsyncGenerator<Subject> {
  const found = await reader
    .select({ id: people.id, name: people.name, roles: people.types })
    .from(people)
    .where(and(isOneOf(people.types, types), ne(people.status, "archived")))
    .orderBy(people.name, people.id);
  for (let at = 0; at < found.length; at += atOnce) {
    const piece = found.slice(at, at + atOnce);
    const holders = await holdersOf(
      reader,
      piece.map(({ id }) => id),
    );
    for (const { id, ...person } of piece)
      yield { ...person, person_id: id, aircraft_id: null, holder: holders.get(id) ?? { records: [] } };
  }
}

async function* aircraftOf(reader: TenantReader, roles: ReadonlySet<ComplianceRole>): AsyncGenerator<Subject> {
  const fleet = await reader
    .select({ id: aircraft.id, name: aircraft.registration, class: aircraft.class })
    .from(aircraft)
    .where(ne(aircraft.status, "archived"))
    .orderBy(aircraft.registration);
  for (const { id, name, class: of } of fleet) {
    const role = of === "FSTD" ? "simulator" : "aircraft";
    if (!roles.has(role)) continue;
    const subject = { person_id: null, aircraft_id: id };
    yield {
      ...subject,
      name,
      roles: [role],
      holder: { records: await heldRecords(reader, subject), date_of_birth: null },
    };
  }
}
