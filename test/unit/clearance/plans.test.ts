/** The facts of a clearance are looked up: no statement scans what grows with a school. */
import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { factsOf } from "../../../src/modules/clearance/facts/facts.queries.ts";
import { askMatrix } from "../../../src/modules/clearance/matrix/ask-matrix.ts";
import { readMatrix } from "../../../src/modules/compliance/matrix/read-matrix.ts";
import { owner } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";
import { newSchool } from "../../support/school.ts";

test("facts are answered from indexes", async () => {
  const { installation, orgId, aircraftId, student } = await newSchool();
  if (!(isId<"organization">(orgId) && isId<"aircraft">(aircraftId) && isId<"person">(student.personId)))
    throw new Error("They are ids.");
  const at = toInstant(installation.clock.now());
  const adds = { hobbs: 100, tacho: 100, airframe_minutes: 60, landings: 1 };
  const use = { at, ends_at: at, adds, passengers: 1, night: true, enrollment_id: null, supervisor_id: null };
  const crew = [{ person_id: student.personId, function: "pic" as const }];
  const plan = await installation.storage.tenants
    .tenant(orgId)
    .read((reader) => planOf(reader, (reader) => factsOf(reader, { aircraft_id: aircraftId, crew, use })));
  const lookups = [
    "SEARCH aircraft USING INDEX sqlite_autoindex_aircraft_1 (id=?)",
    "SEARCH groundings USING INDEX groundings_open (aircraft_id=?)",
    "SEARCH groundings USING INDEX groundings_lifted (aircraft_id=? AND lifted_at>?)",
    "SEARCH defects USING INDEX defects_aircraft (aircraft_id=?)",
    "SEARCH compliance_records USING INDEX compliance_records_aircraft (aircraft_id=?)",
    "SEARCH people USING INDEX sqlite_autoindex_people_1 (id=?)",
    "SEARCH supervisors USING INDEX sqlite_autoindex_people_1 (id=?)",
    "SEARCH compliance_records USING INDEX compliance_records_person (person_id=?)",
    "SEARCH training_enrollments USING INDEX training_enrollments_student (student_id=?)",
    "SEARCH training_programs USING INDEX sqlite_autoindex_training_programs_1 (id=?)",
    "SEARCH flight_crew USING INDEX flight_crew_logbook (person_id=? AND logged_at>? AND logged_at<?)",
  ];
  for (const lookup of lookups) expect(plan).toContain(lookup);
  const scans = plan.filter((line) => line.startsWith("SCAN "));
  const few =
    /^SCAN (meta|clearance_rules|compliance_types|compliance_requirements|CONSTANT ROW|(wanted|json_each) VIRTUAL TABLE)/;
  expect(scans.filter((line) => !few.test(line))).toEqual([]);
});

test("the matrices read their people by name, and what they need of them from indexes", async () => {
  const { installation, orgId } = await newSchool();
  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  const at = toInstant(installation.clock.now());
  const rows = { type: undefined, limit: 500, cursor: undefined };
  const asked = { ...rows, class: undefined, function: "pic" as const, minutes: 60, passengers: 1, night: true, at };
  const plan = await installation.storage.tenants.tenant(orgId).read((reader) =>
    planOf(reader, async (reader) => {
      await askMatrix(reader, owner, asked);
      await readMatrix(reader, owner, rows, new Date(at));
    }),
  );
  expect(plan).toContainEqual(expect.stringMatching(/people USING INDEX people_(status|name)/));
  expect(plan.join("\n")).toMatch(/SEARCH compliance_records USING INDEX compliance_records_person/);
  expect(plan.filter((line) => line.includes("TEMP B-TREE FOR ORDER BY") && line.includes("people"))).toEqual([]);
  const grows = /^SCAN (people|compliance_records|flights|flight_crew|groundings|defects|training_|planning_)/;
  expect(plan.filter((line) => grows.test(line) && !line.includes("USING INDEX people_"))).toEqual([]);
});
