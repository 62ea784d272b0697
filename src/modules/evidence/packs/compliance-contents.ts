/** The state of an organization on a day: its people, aircraft, records, defects and work orders. */
import { toInstant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { startOf, today } from "../../../storage/today.ts";
import { type Counted, compare } from "../../compliance/evaluations/compare.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import type { Person } from "../../people/people.shapes.ts";
import type { AsOf } from "./as-of.queries.ts";
import {
  countedOn,
  groundingsOn,
  listAircraftOn,
  listFilesOn,
  listItems,
  listPeopleOn,
  listRecordsOn,
  listRequirements,
  requirementsNow,
} from "./compliance.queries.ts";
import type { Contents } from "./contents.ts";
import { groupsOf, listPart, rowsOf, valuePart } from "./json-parts.ts";
import { defectsOn, workOrdersOn } from "./maintenance.queries.ts";

type Reads = Pick<Tenant, "read">;

/** What is not known of an earlier day: the pack has it as it was when the pack was built, and says so. */
const asBuilt = {
  organization: "all",
  requirements: "all",
  people: ["name", "types", "ratings", "licence_number", "licence_authority"],
  aircraft: ["registration", "model", "icao_type", "class"],
};

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
  const required = await tenant.read(requirementsNow);
  const rows = (list: typeof listRecordsOn) => rowsOf(tenant, (reader, page) => list(reader, asOf, page));
  const counts = new Counts();
  return {
    subject: { kind: "organization", id: organization.id, name: organization.name },
    *parts() {
      yield valuePart("state", () => ({ as_of: date, built_at: toInstant(now), as_built: asBuilt }));
      yield valuePart("organization", () => organization);
      yield listPart("requirements", rows(listRequirements));
      yield listPart("people", peopleOn(tenant, { asOf, required, counts }));
      yield listPart("aircraft", aircraftOn(tenant, { asOf, required, counts }));
      yield listPart("records", counts.counting("records", rows(listRecordsOn)));
      yield listPart("attachments", rows(listFilesOn));
      yield listPart("defects", counts.counting("defects", defectsOn(tenant, asOf)));
      yield listPart("work_orders", workOrdersOn(tenant, asOf));
      // Of another day they are not known: an item has only its present state.
      if (isToday) yield listPart("maintenance_items", rows(listItems));
    },
    summary: () => ({
      period: { from: date, to: date },
      figures: [
        ["People", String(counts.people)],
        ["Aircraft", `${counts.aircraft}, grounded: ${counts.grounded}`],
        ["People and aircraft not compliant", String(counts.lacking)],
        ["Open defects", String(counts.defects)],
      ],
    }),
  };
}

interface Compared {
  asOf: AsOf;
  required: Awaited<ReturnType<typeof requirementsNow>>;
  counts: Counts;
}

/** Compares records with what is required in the roles. */
function complianceOf(
  { asOf, required, counts }: Compared,
  roles: readonly string[],
  counted: readonly Counted[] = [],
) {
  const ofRoles = required.filter(({ applies_to }) => roles.includes(applies_to));
  const { status, reasons } = compare(ofRoles, counted, Temporal.PlainDate.from(asOf.date));
  if (status === "not_compliant") counts.lacking += 1;
  return { status, reasons };
}

async function* peopleOn(tenant: Reads, compared: Compared): AsyncGenerator<unknown> {
  const { asOf, counts } = compared;
  const groups = groupsOf<Pick<Person, "id" | "types">>(tenant, (reader, page) => listPeopleOn(reader, asOf, page));
  for await (const people of groups) {
    const held = await tenant.read((reader) => countedOn(reader, "person_id", idsOf(people), asOf));
    for (const person of people) {
      counts.people += 1;
      yield { ...person, compliance: complianceOf(compared, person.types, held.get(person.id)) };
    }
  }
}

async function* aircraftOn(tenant: Reads, compared: Compared): AsyncGenerator<unknown> {
  const { asOf, counts } = compared;
  const groups = groupsOf<{ id: AircraftId; class: string }>(tenant, (reader, page) =>
    listAircraftOn(reader, asOf, page),
  );
  for await (const fleet of groups) {
    const held = await tenant.read((reader) => countedOn(reader, "aircraft_id", idsOf(fleet), asOf));
    const grounded = await tenant.read((reader) => groundingsOn(reader, idsOf(fleet), asOf));
    for (const aircraft of fleet) {
      const role = aircraft.class === "FSTD" ? "simulator" : "aircraft";
      const groundings = (grounded.get(aircraft.id) ?? []).map(({ grounding }) => grounding);
      counts.aircraft += 1;
      if (groundings.length > 0) counts.grounded += 1;
      yield { ...aircraft, compliance: complianceOf(compared, [role], held.get(aircraft.id)), groundings };
    }
  }
}

const idsOf = <T>(rows: readonly { id: T }[]): T[] => rows.map(({ id }) => id);
