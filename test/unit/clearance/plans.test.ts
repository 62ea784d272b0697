/** The facts of a clearance are looked up: no statement scans what grows with a school. */
import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { factsOf } from "../../../src/modules/clearance/facts/facts.queries.ts";
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
    "SEARCH flights USING INDEX sqlite_autoindex_flights_1 (id=?)",
  ];
  for (const lookup of lookups) expect(plan).toContain(lookup);
  const scans = plan.filter((line) => line.startsWith("SCAN "));
  const few =
    /^SCAN (meta|clearance_rules|compliance_types|compliance_requirements|CONSTANT ROW|(wanted|json_each) VIRTUAL TABLE)/;
  expect(scans.filter((line) => !few.test(line))).toEqual([]);
});
