/** What a change of the requirements would do is what it then does. */
import { expect, test } from "bun:test";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";

const tried = async (by: Member, body: object) =>
  expectStatus(200, await by.post("/compliance/requirements/dry-run", body)).body.data;

/** The status of each evaluation, by the id of its person or aircraft. */
const statuses = async (by: Member): Promise<Record<string, string>> =>
  Object.fromEntries(
    expectStatus(200, await by.get("/compliance/evaluations?limit=500")).body.data.map(
      (one: { person_id: string | null; aircraft_id: string | null; status: string }) => [
        one.person_id ?? one.aircraft_id,
        one.status,
      ],
    ),
  );

const requirementsOf = async (by: Member, role: string) =>
  expectStatus(200, await by.get(`/compliance/requirements?applies_to=${role}`)).body.data;

test("adding, changing and removing: the evaluations then have what the dry run said, and it wrote nothing", async () => {
  const { owner, installation } = await newOwnSchool();
  const add = async (path: string, body: object): Promise<string> =>
    expectStatus(201, await owner.post(path, body)).body.data.id;
  const today = installation.clock.now().getTime();
  const dayIn = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10);
  const medical = { type: "medical", level: "lapl", issued_on: dayIn(-100) };
  for (const [name, until] of [
    ["Anna", 300],
    ["Bernd", 10],
    ["Clara", -5],
    ["Dora", null],
  ] as const) {
    const person_id = await add("/people", { name, types: ["student"], date_of_birth: "1990-01-01" });
    if (until !== null) await add("/compliance/records", { ...medical, person_id, valid_until: dayIn(until) });
  }
  const complete = async (role: string, aircraft: object) => {
    const aircraft_id = await add("/aircraft", aircraft);
    for (const { any_of } of await requirementsOf(owner, role))
      await add("/compliance/records", {
        aircraft_id,
        type: any_of[0],
        issued_on: dayIn(-10),
        valid_until: dayIn(300),
      });
  };
  await complete("aircraft", { registration: "D-EXYZ", model: "C152", class: "SEP" });
  await complete("simulator", { registration: "D-SIM1", model: "FNPT II", class: "FSTD" });
  const [first] = await requirementsOf(owner, "student");

  const changes: { trial: object; carryOut: () => Promise<unknown> }[] = [];
  const radio = { applies_to: "student", any_of: ["radio"], levels: [] };
  const weighing = { applies_to: "aircraft", any_of: ["weighing"], levels: [] };
  changes.push(
    {
      trial: { requirement_id: first.id, requirement: null },
      carryOut: async () => expectStatus(200, await owner.delete(`/compliance/requirements/${first.id}`)),
    },
    {
      trial: { requirement: { applies_to: "student", any_of: ["medical"], levels: ["lapl"] } },
      carryOut: () => add("/compliance/requirements", { applies_to: "student", any_of: ["medical"], levels: ["lapl"] }),
    },
    { trial: { requirement: radio }, carryOut: () => add("/compliance/requirements", radio) },
    { trial: { requirement: weighing }, carryOut: () => add("/compliance/requirements", weighing) },
  );
  for (const { trial, carryOut } of changes) await compare(trial, carryOut);

  const last = (await requirementsOf(owner, "student")).find((one: { any_of: string[] }) => one.any_of[0] === "radio");
  const onto = { applies_to: "simulator", any_of: ["fstd_qualification"], levels: [] };
  await compare({ requirement_id: last.id, requirement: onto }, async () =>
    expectStatus(200, await owner.patch(`/compliance/requirements/${last.id}`, onto)),
  );

  async function compare(trial: object, carryOut: () => Promise<unknown>) {
    await installation.scheduler.runNow("compliance-evaluation");
    const [before, log] = [await statuses(owner), await written()];
    const { subjects, becoming } = await tried(owner, trial);
    expect(await written()).toEqual(log);
    await carryOut();
    await installation.scheduler.runNow("compliance-evaluation");
    const after = await statuses(owner);
    const moved = Object.keys(after).filter((id) => after[id] !== before[id]);
    const told = subjects.map(
      (one: { person_id: string | null; aircraft_id: string | null }) => one.person_id ?? one.aircraft_id,
    );
    expect(told.toSorted()).toEqual(moved.toSorted());
    for (const { person_id, aircraft_id, ...one } of subjects)
      expect(one).toMatchObject({ before: before[person_id ?? aircraft_id], after: after[person_id ?? aircraft_id] });
    expect(moved.length).toBeGreaterThan(0);
    const counted = Object.values<number>(becoming).reduce((sum, one) => sum + one, 0);
    expect(counted).toBe(moved.length);
  }

  async function written() {
    const count = async (path: string) => expectStatus(200, await owner.get(`${path}?with_total=true`)).body.page.total;
    return [await count("/audit-log"), await count("/compliance/requirements")];
  }
});

test("it says how many it applies to and how many lack it, also of those who lack something else already", async () => {
  const { owner, student } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  const radio = { person_id: id, type: "radio", issued_on: "2025-01-01" };
  expectStatus(201, await owner.post("/compliance/records", radio));
  const answer = await tried(owner, { requirement: { applies_to: "student", any_of: ["radio"], levels: [] } });
  expect(answer).toMatchObject({ concerned: 2, lacking: 1, subjects: [] });
  const [medical] = await requirementsOf(owner, "student");
  const freed = await tried(owner, { requirement_id: medical.id, requirement: null });
  expect(freed).toMatchObject({ concerned: 0, lacking: 0, becoming: { not_compliant: 0, expiring: 0, compliant: 2 } });
  expect(freed.subjects.map((one: { person_id: string }) => one.person_id).sort()).toEqual(
    [id, student.personId].sort(),
  );
});

test("archived people and aircraft are not counted", async () => {
  const { owner, aircraftId } = await newSchool();
  const weighing = { requirement: { applies_to: "aircraft", any_of: ["weighing"], levels: [] } };
  expect((await tried(owner, weighing)).concerned).toBe(1);
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { status: "archived" }));
  expect((await tried(owner, weighing)).concerned).toBe(0);
  const radio = { requirement: { applies_to: "student", any_of: ["radio"], levels: [] } };
  const { concerned } = await tried(owner, radio);
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  expect((await tried(owner, radio)).concerned).toBe(concerned + 1);
  expectStatus(200, await owner.patch(`/people/${id}`, { status: "archived" }));
  expect((await tried(owner, radio)).concerned).toBe(concerned);
});

test("what the change would refuse is refused, and so is a trial of nothing", async () => {
  const { owner, instructor } = await newSchool();
  const issues = async (body: object) =>
    expectStatus(400, await owner.post("/compliance/requirements/dry-run", body)).body.issues.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
  const medical = { applies_to: "student", any_of: ["medical"], levels: [] };
  expect(await issues({ requirement: { ...medical, any_of: ["arc"] } })).toEqual(["body.requirement.any_of.0 unknown"]);
  expect(await issues({ requirement: { ...medical, levels: ["ppl"] } })).toEqual(["body.requirement.levels.0 unknown"]);
  expect(await issues({ requirement: null })).toEqual(["body.requirement one_needed"]);
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  expectStatus(
    404,
    await owner.post("/compliance/requirements/dry-run", { requirement_id: nobody, requirement: null }),
  );
  expectStatus(403, await instructor.post("/compliance/requirements/dry-run", { requirement: medical }));
});
