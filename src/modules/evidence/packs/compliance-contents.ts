/** The state of an organization on a day: its people, aircraft, records, defects and work orders. */
import { toInstant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { compare, type WarningDays } from "../../compliance/evaluations/compare.ts";
import type { Holder } from "../../compliance/records/held.ts";
import { type AsOf, asOf, holdersOn, withdrawnOnes } from "../../compliance/records/standing.queries.ts";
import { warningDays } from "../../compliance/types/types.queries.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import type { Person } from "../../people/people.shapes.ts";
import {
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
  const then = await tenant.read((reader) => asOf(reader, date));
  const withdrawn = await tenant.read((reader) => withdrawnOnes(reader, then));
  const isToday = (await tenant.read((reader) => today(reader, now))).toString() === date;
  const required = await tenant.read(requirementsNow);
  const rows = (list: typeof listItems) => rowsOf(tenant, (reader, page) => list(reader, then, page));
  const counts = new Counts();
  const compared = {
    then,
    required,
    counts,
    warnings: await tenant.read(warningDays),
  };
  return {
    subject: { kind: "organization", id: organization.id, name: organization.name },
    *parts() {
      yield valuePart("state", () => ({ as_of: date, built_at: toInstant(now), as_built: asBuilt }));
      yield valuePart("organization", () => organization);
      yield listPart("requirements", rows(listRequirements));
      yield listPart("people", peopleOn(tenant, compared));
      yield listPart("aircraft", aircraftOn(tenant, compared));
      yield listPart("records", counts.counting("records", rows(listRecordsOn(withdrawn))));
      yield listPart("attachments", rows(listFilesOn(withdrawn)));
      yield listPart("defects", counts.counting("defects", defectsOn(tenant, then)));
      yield listPart("work_orders", workOrdersOn(tenant, then));
      // Of another day they are not known: an item has only its present state.
      if (isToday) yield listPart("maintenance_items", rows(listItems));
    },
    summary: () => ({
      period: { from: date, to: date },
      figures: {
        type: "compliance_pack",
        people: counts.people,
        aircraft: counts.aircraft,
        grounded: counts.grounded,
        lacking: counts.lacking,
        defects: counts.defects,
      },
    }),
  };
}

interface Compared {
  then: AsOf;
  warnings: WarningDays;
  required: Awaited<ReturnType<typeof requirementsNow>>;
  counts: Counts;
}

/** Compares records with what is required in the roles. */
function complianceOf(
  { then, required, warnings, counts }: Compared,
  roles: readonly string[],
  holder: Holder = { records: [] },
) {
  const ofRoles = required.filter(({ applies_to }) => roles.includes(applies_to));
  const { status, reasons } = compare(ofRoles, holder, warnings, Temporal.PlainDate.from(then.date));
  if (status === "not_compliant") counts.lacking += 1;
  return { status, reasons };
}

async function* peopleOn(tenant: Reads, compared: Compared): AsyncGenerator<unknown> {
  const { then, counts } = compared;
  const groups = groupsOf<Pick<Person, "id" | "types">>(tenant, (reader, page) => listPeopleOn(reader, then, page));
  for await (const people of groups) {
    const held = await tenant.read((reader) => holdersOn(reader, "person_id", idsOf(people), then));
    for (const person of people) {
      counts.people += 1;
      yield { ...person, compliance: complianceOf(compared, person.types, held.get(person.id)) };
    }
  }
}

async function* aircraftOn(tenant: Reads, compared: Compared): AsyncGenerator<unknown> {
  const { then, counts } = compared;
  const groups = groupsOf<{ id: AircraftId; class: string }>(tenant, (reader, page) =>
    listAircraftOn(reader, then, page),
  );
  for await (const fleet of groups) {
    const held = await tenant.read((reader) => holdersOn(reader, "aircraft_id", idsOf(fleet), then));
    const grounded = await tenant.read((reader) => groundingsOn(reader, idsOf(fleet), then));
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
