/** The matrices say of each pair what the question about that pair says. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { RequirementMatrix } from "../../../src/modules/compliance/matrix/read-matrix.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { publish, small } from "../training/school.ts";
import { flyAsPic, matrixOfPairs, type Reason, told } from "./pairs.ts";

const day = 86_400_000;
const dayOf = ({ installation }: School, days: number) =>
  new Date(installation.clock.now().getTime() + days * day).toISOString().slice(0, 10);

const kinds = [
  ["medical", "class_1"],
  ["medical", "class_2"],
  ["medical", "lapl"],
  ["licence", "lapl"],
  ["licence", "ppl"],
  ["licence", "cpl"],
  ["sep", null],
  ["tmg", null],
  ["mep", null],
  ["ir", null],
  ["night", null],
  ["fi", null],
  ["elp", "4"],
  ["lapl_check", null],
  ["radio", null],
] as const;
const record = fc.record({
  kind: fc.constantFrom(...kinds),
  issued: fc.integer({ min: -900, max: -5 }),
  until: fc.constantFrom(-3, 0, 1, 20, 400),
  /** Withdrawn, and whether because it was entered by mistake. */
  gone: fc.constantFrom(null, null, null, { entered_by_mistake: false }, { entered_by_mistake: true }),
});
const person = fc.record({
  types: fc.constantFrom<string[]>(
    ["student"],
    ["pilot"],
    ["instructor"],
    ["pilot", "student"],
    ["instructor", "pilot"],
  ),
  born: fc.constantFrom(null, "1950-02-01", "2000-05-05", "2012-01-01"),
  restricted: fc.boolean(),
  records: fc.array(record, { maxLength: 10 }),
  owes: fc.boolean(),
  /** In days ago: flights of the person as PIC. */
  flew: fc.array(fc.integer({ min: 2, max: 120 }), { maxLength: 4 }),
  /** For which they train: the medical certificate of a solo flight, and solo flights at night, depend on it. */
  trains: fc.constantFrom(null, null, "ppl_a", "lapl_a", "night", "cpl"),
});
const requirement = fc.record({
  applies_to: fc.constantFrom("student", "pilot", "instructor"),
  any_of: fc.constantFrom(["radio"], ["medical"], ["sep", "tmg"], ["fi"], ["elp", "licence"]),
});
const question = fc.record({
  function: fc.constantFrom("pic", "instructor", "dual", "solo", "co_pilot", "spic", "picus"),
  inDays: fc.constantFrom(-1, 0, 0, 1, 30),
  passengers: fc.constantFrom(0, 0, 1, 2, 3, 4),
  night: fc.boolean(),
  minutes: fc.constantFrom(60, 1440),
});
const rules = fc.dictionary(
  fc.constantFrom(
    "passenger_recency",
    "night_rating",
    "medical_missing",
    "rating",
    "maintenance_due",
    "aircraft_record",
  ),
  fc.constantFrom("block", "warn", "off"),
);
const world = fc.record({
  people: fc.array(person, { minLength: 3, maxLength: 5 }),
  requirements: fc.array(requirement, { maxLength: 4 }),
  rules,
  charges: fc.boolean(),
  questions: fc.array(question, { minLength: 2, maxLength: 3 }),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** Aircraft of several classes: in order, grounded, overdue, with records, and a simulator. */
async function fleetOf(school: School) {
  const { owner } = school;
  const plane = async (registration: string, type: string) =>
    expectStatus(201, await owner.post("/aircraft", { registration, model: "Any", class: type })).body.data.id;
  const mep = await plane("D-GOPQ", "MEP");
  const tmg = await plane("D-KABC", "TMG");
  await plane("FNPT", "FSTD");
  const sep = await plane("D-EZZZ", "SEP");
  const gone = await plane("D-EGON", "SEP");
  expectStatus(200, await owner.patch(`/aircraft/${gone}`, { status: "archived" }));
  expectStatus(200, await owner.post(`/aircraft/${sep}/ground`, { reason: "Nose wheel." }));
  const record = { issued_on: dayOf(school, -300), valid_until: dayOf(school, 10) };
  for (const type of ["arc", "insurance"])
    expectStatus(201, await owner.post("/compliance/records", { aircraft_id: mep, type, ...record }));
  const item = {
    aircraft_id: tmg,
    name: "100 h",
    interval_hours: "100.00",
    critical: true,
    last_done_on: dayOf(school, -9),
  };
  expectStatus(
    201,
    await owner.post("/maintenance/items", { ...item, last_done_airframe_minutes: 0, interval_months: 1 }),
  );
  expectStatus(200, await owner.patch(`/aircraft/${tmg}`, { counters: { airframe_minutes: 5990, reason: "Log." } }));
  const defect = { description: "Lamp.", severity: "minor" };
  await owner.post(`/aircraft/${mep}/defects`, defect);
}

async function populate(school: School, { people, requirements, rules: actions, charges }: World) {
  const { owner } = school;
  for (const [rule, action] of Object.entries(actions))
    expectStatus(200, await owner.patch(`/clearance/rules/${rule}`, { action }));
  if (charges) expectStatus(200, await owner.patch("/clearance/rules/balance_below_limit", { action: "warn" }));
  for (const one of requirements)
    expectStatus(201, await owner.post("/compliance/requirements", { ...one, levels: [] }));
  let minutes = 0;
  for (const [at, one] of people.entries()) {
    const isRestricted = one.restricted && one.types.includes("instructor");
    const fields = {
      // The answer is built as text: what JSON escapes stays what it was.
      ...{ name: `Zoë "Jet" ${at} \\`, types: one.types, date_of_birth: one.born },
      ...(isRestricted && { restricted_instructor: true, supervisor_id: school.instructor.personId }),
    };
    const { id } = expectStatus(201, await owner.post("/people", fields)).body.data;
    for (const {
      kind: [type, level],
      issued,
      until,
      gone,
    } of one.records) {
      const body = { person_id: id, type, level, issued_on: dayOf(school, issued), valid_until: dayOf(school, until) };
      const made = expectStatus(201, await owner.post("/compliance/records", body)).body.data;
      // One that a later one has superseded is not current, and is not withdrawn.
      if (gone !== null && made.status === "current")
        expectStatus(200, await owner.post(`/compliance/records/${made.id}/withdraw`, { reason: "Gone.", ...gone }));
    }
    if (one.trains && (one.types.includes("student") || one.types.includes("pilot"))) {
      const revision = await publish({ owner }, { ...small, kind: one.trains, name: `Program ${at}` });
      const enrollment = { student_id: id, revision_id: revision.id, started_on: dayOf(school, -100) };
      expectStatus(201, await owner.post("/training/enrollments", enrollment));
    }
    if (one.owes) {
      const charge = { person_id: id, description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 5000 };
      expectStatus(201, await owner.post("/finance/charges", charge));
    }
    for (const days of one.flew) {
      minutes += 1;
      await flyAsPic(school, id, school.installation.clock.now().getTime() - days * day - minutes * 5 * 60_000);
    }
  }
}

test("each cell of people and aircraft is the clearance of the pair", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const school = await newSchool();
      await fleetOf(school);
      await populate(school, one);
      for (const { inDays, ...asked } of one.questions) {
        const at = new Date(school.installation.clock.now().getTime() + inDays * day).toISOString();
        const passengers = asked.function === "solo" ? 0 : asked.passengers;
        const query = new URLSearchParams(
          Object.entries({ ...asked, passengers, at }).map(([name, value]) => [name, String(value)]),
        );
        const { aircraft, people, decisions } = await matrixOfPairs(school, query);
        for (const decision of decisions) seen.add(decision);
        expect(aircraft.map(({ registration }: { registration: string }) => registration)).toEqual([
          ...["D-EABC", "D-EZZZ", "D-GOPQ", "D-KABC", "FNPT"],
        ]);
        // Olga is staff.
        expect(people.length).toBe(one.people.length + 2);
        expect(people.map(({ name }: { name: string }) => name)).toContain('Zoë "Jet" 0 \\');
      }
    }),
    { numRuns: Number(process.env.MATRICES ?? 3) },
  );
  expect([...seen]).toContain("block");
}, 300_000);

test("each cell of people and requirements is what the evaluation of the person says", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const school = await newOwnSchool();
      const { owner } = school;
      await populate(school, { ...one, people: one.people.map((person) => ({ ...person, flew: [] })) });
      await school.installation.scheduler.runNow("compliance-evaluation");
      const answer = expectStatus(200, await owner.get("/compliance/matrix")).body.data;
      RequirementMatrix.parse(answer);
      const { requirements, people } = answer;
      expect(people.length).toBe(one.people.length + 2);
      for (const person of people) {
        const [evaluation] = (await owner.get(`/compliance/evaluations?person_id=${person.id}`)).body.data;
        const cells = person.cells.flatMap((cell: { state: string } | null, at: number) =>
          cell === null || cell.state === "met" || cell.state === "not_needed"
            ? []
            : [{ requirement_id: requirements[at].id, any_of: requirements[at].any_of, ...cell }],
        );
        expect(cells).toEqual(evaluation.reasons);
        for (const [at, cell] of person.cells.entries())
          expect(cell !== null).toBe(person.types.includes(requirements[at].applies_to));
      }
    }),
    { numRuns: Number(process.env.MATRICES ?? 5) },
  );
}, 300_000);

test("a matrix is in pages of people, by their type and the class of the aircraft", async () => {
  const school = await newSchool();
  const { owner } = school;
  await fleetOf(school);
  for (const name of ["Ada", "Bob", "Cem"]) expectStatus(201, await owner.post("/people", { name, types: ["pilot"] }));
  const names = (people: { name: string }[]) => people.map(({ name }) => name);
  for (const matrix of ["/clearance/matrix", "/compliance/matrix"]) {
    const first = expectStatus(200, await owner.get(`${matrix}?type=pilot&limit=2`)).body.data;
    expect(names(first.people)).toEqual(["Ada", "Bob"]);
    const rest = expectStatus(200, await owner.get(`${matrix}?type=pilot&limit=2&cursor=${first.next_cursor}`)).body
      .data;
    expect([names(rest.people), rest.next_cursor]).toEqual([["Cem"], null]);
    for (const who of [school.student, await school.join(["accountant"]), await school.join(["mechanic"])])
      expect((await who.get(matrix)).status).toBe(403);
    expectStatus(200, await school.instructor.get(matrix));
  }
  const gliders = expectStatus(200, await owner.get("/clearance/matrix?class=TMG&type=pilot")).body.data;
  expect(gliders.aircraft).toMatchObject([{ registration: "D-KABC", class: "TMG" }]);
  for (const { decisions, reasons } of gliders.people) {
    expect(decisions).toHaveLength(1);
    for (const { classes } of reasons) expect(classes).toEqual(["TMG"]);
  }
});

test("two requirements that read the same are two reasons in a matrix, as in the clearance of a pair", async () => {
  const { owner, aircraftId } = await newSchool();
  const required = { applies_to: "pilot", any_of: ["radio"], levels: [] };
  for (let count = 0; count < 2; count += 1) expectStatus(201, await owner.post("/compliance/requirements", required));
  const { id } = expectStatus(201, await owner.post("/people", { name: "Ada", types: ["pilot"] })).body.data;
  const pair = `person_id=${id}&aircraft_id=${aircraftId}&function=pic`;
  const { reasons } = expectStatus(200, await owner.get(`/clearance?${pair}`)).body.data;
  const { people } = expectStatus(200, await owner.get("/clearance/matrix?type=pilot")).body.data;
  const ada = people.find((person: { id: string }) => person.id === id);
  const alike = (all: Reason[]) => all.filter(({ rule }) => rule === "required_record").map(told);
  expect(alike(ada.reasons)).toEqual(alike(reasons));
  expect(alike(reasons).length).toBeGreaterThan(new Set(alike(reasons)).size);
});

test("who supervises a solo is no question of a matrix: a student whom nothing else is against is clear", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const record = { person_id: student.personId, issued_on: dayOf(school, -30), valid_until: dayOf(school, 400) };
  expectStatus(201, await owner.post("/compliance/records", { ...record, type: "medical", level: "class_2" }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-05-05" }));
  expectStatus(200, await owner.patch("/clearance/rules/aircraft_record", { action: "off" }));
  expectStatus(200, await owner.patch("/clearance/rules/solo_supervision", { action: "warn" }));
  const { people } = expectStatus(200, await owner.get("/clearance/matrix?function=solo&type=student")).body.data;
  expect(people).toMatchObject([{ id: student.personId, decisions: ["clear"], reasons: [] }]);
  const pair = `/clearance?function=solo&person_id=${student.personId}&aircraft_id=${aircraftId}`;
  const { decision, reasons } = expectStatus(200, await owner.get(pair)).body.data;
  expect([decision, reasons.map(({ rule }: Reason) => rule)]).toEqual(["warn", ["solo_supervision"]]);
});

test("the holder of an LAPL is clear for one aircraft of a class and not for a heavier one", async () => {
  const school = await newSchool();
  const { owner } = school;
  for (const [registration, mtom_kg] of [
    ["D-EHVY", 2001],
    ["D-ELGT", 2000],
  ] as const)
    expectStatus(201, await owner.post("/aircraft", { registration, model: "Any", class: "SEP", mtom_kg }));
  const { id } = expectStatus(201, await owner.post("/people", { name: "Lara", types: ["pilot"] })).body.data;
  const issued = { person_id: id, issued_on: dayOf(school, -30) };
  expectStatus(201, await owner.post("/compliance/records", { ...issued, type: "licence", level: "lapl" }));
  const { aircraft, people } = expectStatus(200, await owner.get("/clearance/matrix?class=SEP&type=pilot")).body.data;
  const [lara] = people.filter((person: { id: string }) => person.id === id);
  const limits = lara.reasons.filter(({ rule }: Reason) => rule === "lapl_limits");
  expect(limits).toMatchObject([{ classes: ["SEP"], message: expect.stringContaining("2000 kg") }]);
  // The reasons name the class; each aircraft is decided by its own mass.
  expectStatus(200, await owner.patch("/clearance/rules/lapl_limits", { action: "block" }));
  const decided = expectStatus(200, await owner.get("/clearance/matrix?class=SEP&type=pilot")).body.data.people;
  const { decisions } = decided.find((person: { id: string }) => person.id === id);
  const blocked = aircraft.flatMap(({ registration }: { registration: string }, at: number) =>
    decisions[at] === "block" ? [registration] : [],
  );
  expect(blocked).toEqual(["D-EHVY"]);
});
