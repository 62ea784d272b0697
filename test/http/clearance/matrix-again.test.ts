/** A matrix keeps what it has found about people, as long as nothing has changed that it depends on. */
import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";
import { publish, small } from "../training/school.ts";
import { flyAsPic, matrixOfPairs } from "./pairs.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const onePiece = { quantity: "1.00", unit: "piece" };

test("a matrix that is asked again tells what each change made of it", async () => {
  const school = await newSchool();
  const { owner, student, instructor, aircraftId } = school;
  const today = school.installation.clock.now().toISOString().slice(0, 10);
  const post = async (path: string, body: object): Promise<Body> =>
    expectStatus(201, await owner.post(path, body)).body.data;
  const patch = async (path: string, body: object) => expectStatus(200, await owner.patch(path, body));
  const ask = (query: Record<string, string>) => matrixOfPairs(school, new URLSearchParams(query));
  const record = (more: object) => post("/compliance/records", { issued_on: "2020-02-01", ...more });
  const pia = (await post("/people", { name: "Pia", types: ["pilot"], date_of_birth: "1990-05-05" })).id;
  const ina = (await post("/people", { name: "Ina", types: ["instructor"] })).id;
  await record({ person_id: pia, type: "licence", level: "lapl" });
  await record({ person_id: student.personId, type: "medical", level: "class_2", valid_until: "2030-01-01" });

  // 23:30 in UTC: another day in Berlin. The same question each time, but for the last.
  const pic = { at: `${today}T23:30:00Z`, function: "pic", passengers: "1" };
  const solo = { at: `${today}T23:30:00Z`, function: "solo", night: "true", passengers: "0" };
  const instructs = { at: `${today}T23:30:00Z`, function: "instructor", passengers: "0" };

  let clubCheck = "";
  let checked = "";
  const changes: [what: string, query: Record<string, string>, change: () => Promise<unknown>][] = [
    ["a new record", pic, () => record({ person_id: pia, type: "elp", level: "4", valid_until: today })],
    [
      "a record that ends with the day in UTC",
      pic,
      async () => {
        checked = (await record({ person_id: pia, type: "medical", level: "lapl", valid_until: today })).id;
      },
    ],
    ["the time zone", pic, () => patch("", { time_zone: "UTC" })],
    ["a withdrawn record", pic, () => owner.post(`/compliance/records/${checked}/withdraw`, { reason: "Not fit." })],
    ["an approved flight", pic, () => flyAsPic(school, pia, Date.parse(today) - 3_600_000)],
    ["what the school does about a rule", pic, () => patch("/clearance/rules/lapl_recency", { action: "block" })],
    [
      "a requirement",
      pic,
      async () => {
        clubCheck = (await post("/compliance/types", { key: "club_check", name: "Club check", subject: "person" })).id;
        await post("/compliance/requirements", { applies_to: "pilot", any_of: ["club_check"], levels: [] });
      },
    ],
    ["the name of a type", pic, () => patch(`/compliance/types/${clubCheck}`, { name: "Check of the club" })],
    [
      "the rule about the account",
      pic,
      () => patch("/finance/settings", { balance_rule: "warn", balance_limit_minor: 1 }),
    ],
    ["the limit of the account", pic, () => patch("/finance/settings", { balance_limit_minor: 0 })],
    [
      "what the person owes",
      pic,
      () => post("/finance/charges", { person_id: pia, description: "Map", unit_price_minor: 900, ...onePiece }),
    ],
    ["the mass of an aircraft", pic, () => patch(`/aircraft/${aircraftId}`, { mtom_kg: 2001 })],
    ["the date of birth", solo, () => patch(`/people/${student.personId}`, { date_of_birth: "2000-05-05" })],
    [
      "the training",
      solo,
      async () => {
        const { id } = await publish({ owner }, { ...small, kind: "night" });
        const started_on = "2020-05-01";
        await post("/training/enrollments", { student_id: student.personId, revision_id: id, started_on });
      },
    ],
    [
      "who supervises an instructor",
      instructs,
      () => patch(`/people/${instructor.personId}`, { restricted_instructor: true, supervisor_id: ina }),
    ],
    ["the name of the supervisor", instructs, () => patch(`/people/${ina}`, { name: "Ina Berg" })],
    ["another aircraft", pic, () => post("/aircraft", { registration: "D-KABC", model: "Any", class: "TMG" })],
  ];
  for (const [what, query, change] of changes) {
    const before = await ask(query);
    await change();
    const after = await ask(query);
    expect([what, after.text === before.text]).toEqual([what, false]);
    expect([what, (await ask(query)).text]).toEqual([what, after.text]);
  }
  const asked = await ask(pic);
  const others: Record<string, string>[] = [
    { passengers: "0" },
    { passengers: "4" },
    { night: "true" },
    { at: "2035-01-01T10:00:00Z" },
    { minutes: "20" },
    { function: "picus" },
  ];
  for (const other of others)
    expect([other, (await ask({ ...pic, ...other })).text === asked.text]).toEqual([other, false]);
});
