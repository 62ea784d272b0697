/** The rows of a pilot's pack. Their readers do not check an actor. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { toLegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import { ascending, type Marked, type PageRequest, pageBody, pageBy } from "../../../storage/page.ts";
import { field, fieldsOf, part, type Resource, resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { attachments } from "../../attachments/attachments.tables.ts";
import { complianceRecords } from "../../compliance/compliance.tables.ts";
import { notWithdrawnOn } from "../../compliance/records/held.ts";
import { heldRecords } from "../../compliance/records/records.queries.ts";
import { publicRecord, record } from "../../compliance/records/records.shapes.ts";
import { publicFlight } from "../../flights/flights.shapes.ts";
import { flightCrew, flights, isLogged } from "../../flights/flights.tables.ts";
import { logbookEntry, loggedFlights } from "../../logbooks/logbook.shapes.ts";
import { person } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { student as name } from "../../training/enrollments/enrollments.shapes.ts";
import { listDigests } from "./attachments.queries.ts";

const holder = part(
  fieldsOf(person, "id", "name", "date_of_birth", "licence_number", "licence_authority", "types", "ratings"),
);

const { lesson, nature, imported, approved_at } = publicFlight.fields;
const flight = part({
  ...logbookEntry.fields,
  nature,
  lesson,
  // Of a solo flight: who authorized and supervised it (FCL.020).
  supervisor: field(
    name.schema.nullable(),
    sql`(select ${name.json} from ${people} where ${people.id} = ${flights.supervisor_id})`,
  ),
  imported,
  // An imported flight was approved by nobody: its time is that of the import.
  approved_at: field(approved_at.schema, sql`iif(${flights.imported}, null, ${flights.approved_at})`),
});
export type Flight = Resource<typeof flight>;

export const listFlights = pageBy(flight, {
  from: loggedFlights,
  where: ({ person_id }: Marked<{ person_id: PersonId }>): SQL | undefined =>
    and(eq(flightCrew.person_id, person_id), isLogged),
  orderBy: ascending(flight, "off_block_at", "flight_id"),
});

/** Without remarks: they are the school's. A medical has a class and dates only. */
const { person: _, aircraft: __, ...ofRecord } = publicRecord.fields;
const heldRecord = part({ ...ofRecord, ...fieldsOf(record, "number", "issued_by") });
const inOrder = ascending(heldRecord, "id");

export const listRecords = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) =>
  pageBody(reader, heldRecord, {
    ...page,
    from: complianceRecords,
    where: eq(complianceRecords.person_id, personId),
    orderBy: inOrder,
  });

export const listFiles = (reader: Reader<"tenant">, personId: PersonId, page: PageRequest) => {
  const { id, person_id } = complianceRecords;
  const isTheirs = sql`${attachments.record_id} in (select ${id} from ${complianceRecords} where ${person_id} = ${personId})`;
  return listDigests(reader, isTheirs, page);
};

/** Returns the records of a person without those that were withdrawn, or that the withdrawal of another has ended. */
export async function packedRecords(
  reader: Reader<"tenant">,
  person_id: PersonId,
  now: Date,
): Promise<ReadonlySet<string>> {
  const records = await heldRecords(reader, { person_id, aircraft_id: null });
  return new Set(notWithdrawnOn(records, toLegalDate(await today(reader, now))).map(({ id }) => id));
}

/** @throws NOT_FOUND */
export const findHolder = (reader: Reader<"tenant">, id: PersonId) =>
  resource(reader, holder, { from: people, where: eq(people.id, id) });
