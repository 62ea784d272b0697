/** Who instructs trains a student on board, and one at a time where there is one seat beside them. */
import { expect, test } from "bun:test";
import { csv, expectStatus, newSchool } from "../../support/school.ts";

/** A school with three students. */
async function newInstructing() {
  const school = await newSchool();
  const { join } = school;
  return {
    ...school,
    ...{ second: await join(["student"], "Second Student"), third: await join(["student"], "Third Student") },
  };
}

type Instructing = Awaited<ReturnType<typeof newInstructing>>;

const crewOf = ({ instructor, student, second, third }: Instructing, functions: string[]) =>
  [instructor, student, second, third].flatMap(({ personId: person_id }, at) =>
    functions[at] ? [{ person_id, function: functions[at] }] : [],
  );

const alone = "An instructor trains a crew member who is dual or spic. Without one, they are pic.";
const tooMany = "One student is trained at a time, as dual or spic. Others on board are passengers.";

test.each([
  [["instructor"], "instructor_alone", "crew.0.function", alone],
  [["instructor", "dual", "dual"], "students_exceeded", "crew.2.function", tooMany],
  [["instructor", "spic", "dual"], "students_exceeded", "crew.2.function", tooMany],
])(
  "a crew of %p: a draft warns, and its submission and an edit of a submitted flight are refused",
  async (functions, warning, path, message) => {
    const school = await newInstructing();
    const { owner, student } = school;
    const crew = crewOf(school, functions);
    const draft = await school.draftFlight(owner, { body: { crew, passengers: 1 } });
    expect(draft.warnings).toEqual([warning]);
    const refused = [{ path: `body.${path}`, code: "crew", message }];
    expect(expectStatus(400, await owner.post(`/flights/${draft.id}/submit`)).body.issues).toEqual(refused);
    const legal = { crew: crewOf(school, ["instructor", "dual"]) };
    expect(expectStatus(200, await owner.patch(`/flights/${draft.id}`, legal)).body.data.warnings).toEqual([]);
    expectStatus(200, await student.post(`/flights/${draft.id}/submit`));
    expect(expectStatus(400, await owner.patch(`/flights/${draft.id}`, { crew })).body.issues).toEqual(refused);
  },
);

test("an instructor with passengers only is the pilot in command, and a second student a passenger", async () => {
  const school = await newInstructing();
  const { owner } = school;
  for (const [functions, day] of [
    [["pic"], "10"],
    [["instructor", "dual"], "11"],
    [["instructor", "spic"], "12"],
  ] as const) {
    const times = { off_block_at: `2026-06-${day}T08:00:00Z`, on_block_at: `2026-06-${day}T09:00:00Z` };
    const flown = { ...times, take_off_at: null, landing_at: null };
    const body = { crew: crewOf(school, [...functions]), passengers: 1, ...flown };
    const draft = await school.draftFlight(owner, { body });
    expect(draft.warnings).toEqual([]);
    expectStatus(200, await owner.post(`/flights/${draft.id}/submit`));
  }
});

const submitted = async (school: Instructing, functions: string[], body: object) => {
  const draft = await school.draftFlight(school.owner, { body: { crew: crewOf(school, functions), ...body } });
  const answer = await school.owner.post(`/flights/${draft.id}/submit`);
  return { warnings: draft.warnings, paths: answer.body.issues?.map(({ path }: { path: string }) => path) ?? [] };
};

const three = ["instructor", "dual", "dual", "dual"];
const refusedThird = { warnings: ["students_exceeded"], paths: ["body.crew.3.function"] };

test("two students are trained as a crew in an aircraft for two pilots, and in a simulator", async () => {
  const school = await newInstructing();
  const { owner, aircraftId } = school;
  const device = { registration: "FNPT-1", model: "FNPT II MCC", class: "FSTD" };
  const aircraft_id = expectStatus(201, await owner.post("/aircraft", device)).body.data.id;
  const landed = { day_landings: 0, departure: null, arrival: null, take_off_at: null, landing_at: null };
  const session = { aircraft_id, nature: "simulator", ...landed };
  expect(await submitted(school, three, session)).toEqual(refusedThird);
  expect(await submitted(school, three.slice(0, 3), session)).toEqual({ warnings: [], paths: [] });
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { multi_pilot: true }));
  const earlier = { off_block_at: "2026-06-01T08:00:00Z", on_block_at: "2026-06-01T09:00:00Z" };
  const flown = { ...earlier, take_off_at: null, landing_at: null };
  expect(await submitted(school, three, flown)).toEqual(refusedThird);
  expect(await submitted(school, three.slice(0, 3), flown)).toEqual({ warnings: [], paths: [] });
});

test("an import refuses them as a submission does", async () => {
  const school = await newInstructing();
  const { owner, instructor, student, second } = school;
  const imported = async (trained: string) => {
    const line = `D-EABC,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDFE,${instructor.email},${trained}`;
    const body = csv(`registration,off_block_at,on_block_at,departure,arrival,instructor,dual\n${line}\n`);
    return owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body });
  };
  const refused = (column: string, message: string) => [{ path: `body.2.${column}`, code: "crew", message }];
  expect(expectStatus(400, await imported("")).body.issues).toEqual(refused("instructor", alone));
  const both = expectStatus(400, await imported(`${student.email}|${second.email}`)).body.issues;
  expect(both).toEqual(refused("dual", tooMany));
  expectStatus(200, await imported(student.email));
});
