/** Co-pilots and PICUS are only in aircraft for several pilots (AMC1 FCL.050): elsewhere they warn. */
import { expect, test } from "bun:test";
import { csv, expectStatus, newSchool, type School } from "../../support/school.ts";

const makeMultiPilot = async ({ owner, aircraftId }: School, multi_pilot: boolean) =>
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { multi_pilot }));

const crewOf = ({ student, instructor }: School, first: string, second: string) => [
  { person_id: instructor.personId, function: first },
  { person_id: student.personId, function: second },
];

test.each([
  ["pic", "co_pilot", ["single_pilot_aircraft"]],
  ["pic", "picus", ["single_pilot_aircraft"]],
  ["instructor", "dual", []],
  ["instructor", "spic", []],
])(
  "%s and %s in an aircraft for one pilot: a draft, a submission and an edit warn %p",
  async (first, second, expected) => {
    const school = await newSchool();
    const { student, owner } = school;
    const crew = crewOf(school, first, second);
    const draft = await school.draftFlight(student, { body: { crew } });
    expect(draft.warnings).toEqual(expected);
    const submitted = expectStatus(200, await student.post(`/flights/${draft.id}/submit`)).body.data;
    expect(submitted.warnings).toEqual(expected);
    const edit = async () =>
      expectStatus(200, await student.patch(`/flights/${draft.id}`, { remarks: "Circuits." })).body.data.warnings;
    await makeMultiPilot(school, true);
    expect(await edit()).toEqual([]);
    await makeMultiPilot(school, false);
    expect(await edit()).toEqual(expected);
    // A warning, no refusal: the operation may need two pilots.
    expect(expectStatus(200, await owner.post(`/flights/${draft.id}/approve`)).body.data.warnings).toEqual(expected);
  },
);

test("an imported flight with a co-pilot warns where the aircraft is for one pilot", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const importOn = async (day: number, function_: string) => {
    const line = `D-EABC,2025-05-0${day}T08:00:00Z,2025-05-0${day}T09:00:00Z,EDFE,EDFE,${instructor.email},${student.email}`;
    const body = csv(`registration,off_block_at,on_block_at,departure,arrival,pic,${function_}\n${line}\n`);
    expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body }));
    return expectStatus(200, await owner.get("/flights?limit=1")).body.data[0].warnings;
  };
  expect(await importOn(1, "co_pilot")).toEqual(["single_pilot_aircraft"]);
  expect(await importOn(2, "picus")).toEqual(["single_pilot_aircraft"]);
  await makeMultiPilot(school, true);
  expect(await importOn(3, "co_pilot")).toEqual([]);
});

test("a session in a simulator has no aircraft, so its crew may be any", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const device = { registration: "FNPT-1", model: "FNPT II MCC", class: "FSTD" };
  const aircraft_id = expectStatus(201, await owner.post("/aircraft", device)).body.data.id;
  const session = { aircraft_id, nature: "simulator", day_landings: 0, departure: null, arrival: null };
  const crew = crewOf(school, "pic", "co_pilot");
  expect((await school.draftFlight(student, { body: { ...session, crew } })).warnings).toEqual([]);
});
