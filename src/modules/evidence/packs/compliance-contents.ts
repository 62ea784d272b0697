/** The state of an organization on a day: its people, aircraft, records, defects and work orders. */
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { allRows } from "../../../storage/personal-data.ts";
import type { Tenant } from "../../../storage/store.ts";
import { startOf, today } from "../../../storage/today.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import type { Person } from "../../people/people.shapes.ts";
import {
  type AsOf,
  complianceOn,
  groundingsOn,
  listAircraftOn,
  listDefectsOn,
  listItems,
  listPeopleOn,
  listRecordsOn,
  listRequirements,
  listWorkOrdersOn,
} from "./compliance.queries.ts";
import type { Contents } from "./contents.ts";
import { listPart, valuePart } from "./json-parts.ts";

type Reads = Pick<Tenant, "read">;

/** Few enough rows for one turn of the event loop. */
const PIECE = 50;

/** What the page for people says. */
class Counts {
  people = 0;
  aircraft = 0;
  grounded = 0;
  lacking = 0;
  records = 0;
  defects = 0;

  async *counting(name: "records" | "defects", rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    for await (const row of rows) {
      this[name] += 1;
      yield row;
    }
  }
}

export async function complianceContents(
  tenant: Reads,
  organization: Organization,
  { date, now }: { date: LegalDate; now: Date },
): Promise<Contents> {
  const asOf = await tenant.read(async (reader): Promise<AsOf> => {
    return { date, end: await startOf(reader, Temporal.PlainDate.from(date).add({ days: 1 })) };
  });
  const isToday = (await tenant.read((reader) => today(reader, now))).toString() === date;
  const rows = (list: typeof listRecordsOn) => allRows(tenant, (reader, page) => list(reader, asOf, page), PIECE);
  const counts = new Counts();
  return {
    subject: { kind: "organization", id: organization.id, name: organization.name },
    *parts() {
      yield valuePart("organization", () => organization);
      yield listPart("requirements", rows(listRequirements));
      yield listPart("people", peopleOn(tenant, asOf, counts));
      yield listPart("aircraft", aircraftOn(tenant, asOf, counts));
      yield listPart("records", counts.counting("records", rows(listRecordsOn)));
      yield listPart("defects", counts.counting("defects", rows(listDefectsOn)));
      yield listPart("work_orders", rows(listWorkOrdersOn));
      // Of another day they are not known: an item has only its present state.
      if (isToday) yield listPart("maintenance_items", rows(listItems));
    },
    summary: () => ({
      period: { from: date, to: date },
      figures: [
        ["People", String(counts.people)],
        ["Aircraft", `${counts.aircraft}, grounded: ${counts.grounded}`],
        ["Not compliant", String(counts.lacking)],
        ["Open defects", String(counts.defects)],
      ],
    }),
  };
}

async function* peopleOn(tenant: Reads, asOf: AsOf, counts: Counts): AsyncGenerator<unknown> {
  for await (const row of allRows(tenant, (reader, page) => listPeopleOn(reader, asOf, page), PIECE)) {
    const person = row as Pick<Person, "id" | "types">;
    const subject = { person_id: person.id, aircraft_id: null };
    const compliance = await tenant.read((reader) => complianceOn(reader, subject, person.types, asOf));
    counts.people += 1;
    if (compliance.status === "not_compliant") counts.lacking += 1;
    yield { ...person, compliance };
  }
}

async function* aircraftOn(tenant: Reads, asOf: AsOf, counts: Counts): AsyncGenerator<unknown> {
  for await (const row of allRows(tenant, (reader, page) => listAircraftOn(reader, asOf, page), PIECE)) {
    const aircraft = row as { id: AircraftId; class: string };
    const subject = { person_id: null, aircraft_id: aircraft.id };
    const role = aircraft.class === "FSTD" ? "simulator" : "aircraft";
    const compliance = await tenant.read((reader) => complianceOn(reader, subject, [role], asOf));
    const groundings = await tenant.read((reader) => groundingsOn(reader, aircraft.id, asOf));
    counts.aircraft += 1;
    if (groundings.length > 0) counts.grounded += 1;
    if (compliance.status === "not_compliant") counts.lacking += 1;
    yield { ...aircraft, compliance, groundings };
  }
}
