/** The rule about the account of the person who pays. */
import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const rule = "balance_below_limit";

async function owe({ owner }: School, { personId }: Pick<Member, "personId">, unit_price_minor = 1000): Promise<void> {
  const charge = { person_id: personId, description: "Lesson", quantity: "1.00", unit: "piece", unit_price_minor };
  expectStatus(201, await owner.post("/finance/charges", charge));
}

const set = async ({ owner }: School, change: object): Promise<Body> =>
  expectStatus(200, await owner.patch("/finance/settings", change)).body.data;

async function found({ owner, aircraftId }: School, { personId }: Member, onBoard: string): Promise<string[]> {
  const query = `aircraft_id=${aircraftId}&person_id=${personId}&function=${onBoard}&at=2026-06-15T08:00:00Z`;
  const { reasons } = expectStatus(200, await owner.get(`/clearance?${query}`)).body.data;
  return reasons.filter((one: Body) => one.rule === rule).map((one: Body) => `${one.action} ${one.subject}`);
}

test("an account below the limit warns or blocks, if the school wants it, and only for the person who pays", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  await owe(school, student);
  expect(await found(school, student, "solo")).toEqual([]);
  expect((await owner.get("/finance/settings")).body.data).toMatchObject({
    balance_rule: "off",
    balance_limit_minor: 0,
  });

  expect(await set(school, { balance_rule: "warn" })).toMatchObject({ balance_rule: "warn", balance_limit_minor: 0 });
  expect(await found(school, student, "solo")).toEqual(["warn payer"]);
  expect(await found(school, student, "dual")).toEqual(["warn payer"]);
  expect(await found(school, student, "co_pilot")).toEqual([]);
  expect(await found(school, instructor, "pic")).toEqual([]);
  const { people } = expectStatus(200, await owner.get("/clearance/matrix?function=solo&type=student")).body.data;
  expect(people).toMatchObject([{ reasons: expect.arrayContaining([expect.objectContaining({ rule })]) }]);

  // The charge is 11.90 with its VAT.
  await set(school, { balance_limit_minor: -1190 });
  expect(await found(school, student, "solo")).toEqual([]);
  await set(school, { balance_limit_minor: -1189, balance_rule: "block" });
  expect(await found(school, student, "solo")).toEqual(["block payer"]);
  const deposit = { person_id: student.personId, amount_minor: 1, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", deposit));
  expect(await found(school, student, "solo")).toEqual([]);

  // A person without any money has 0.
  await set(school, { balance_limit_minor: 1 });
  expect(await found(school, instructor, "pic")).toEqual(["block payer"]);
  await set(school, { balance_rule: "off" });
  expect(await found(school, instructor, "pic")).toEqual([]);
});

test("the settings of the money and the rules of the clearance have one action", async () => {
  const school = await newSchool();
  const { owner } = school;
  const ruleNow = async () =>
    (await owner.get("/clearance/rules")).body.data.find(({ key }: Body) => key === rule).action;
  await set(school, { balance_rule: "block" });
  expect(await ruleNow()).toBe("block");
  expectStatus(200, await owner.patch(`/clearance/rules/${rule}`, { action: "warn" }));
  expect((await owner.get("/finance/settings")).body.data.balance_rule).toBe("warn");
  await set(school, { payment_days: 7 });
  expect(await ruleNow()).toBe("warn");
});

test("a flight finds it of the person who pays, named or on board, without an amount; who approves acknowledges it", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  await owe(school, owner, 4321);
  await set(school, { balance_rule: "block" });
  const { id } = await school.draftFlight(student);
  const findings = async (by: Member): Promise<Body[]> =>
    expectStatus(200, await by.get(`/flights/${id}`)).body.data.findings.filter((one: Body) => one.rule === rule);
  expectStatus(200, await owner.patch(`/finance/flights/${id}`, { payer_id: owner.personId }));
  expectStatus(200, await student.post(`/flights/${id}/submit`));
  expect(await findings(owner)).toMatchObject([{ action: "block", person_id: owner.personId }]);
  expect(JSON.stringify(await findings(owner))).not.toMatch(/\d\d\.\d\d|5142|4321/);
  // It is about another person: the student does not see it.
  expect(await findings(student)).toEqual([]);

  const refused = await instructor.post(`/flights/${id}/approve`);
  expect(expectStatus(409, refused).body.error.reason).toBe("findings_not_acknowledged");
  expectStatus(200, await owner.post(`/flights/${id}/approve`, { acknowledge: [rule] }));
  expect(await findings(owner)).toMatchObject([{ acknowledged_by: owner.userId }]);
});

test("nobody pays a ferry flight, so nothing is found", async () => {
  const school = await newSchool();
  await owe(school, school.student);
  await set(school, { balance_rule: "block" });
  const ferry = await school.submitFlight(school.student, { body: { nature: "ferry" } });
  expect(ferry.findings.filter((one: Body) => one.rule === rule)).toEqual([]);
});

test("a booking is refused, and members who may not see the account do not learn why", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  await owe(school, student);
  await set(school, { balance_rule: "block" });
  const booking = {
    ...{ kind: "flight", title: "Solo", start_at: "2026-06-16T08:00:00Z", end_at: "2026-06-16T09:00:00Z" },
    ...{ aircraft_id: aircraftId, student_ids: [student.personId] },
  };
  const refused = async (by: Member): Promise<string[]> =>
    expectStatus(409, await by.post("/planning/sessions", booking)).body.conflicts.map((one: Body) => one.rule);
  expect(await refused(owner)).toContain(rule);
  expect(await refused(student)).toContain(rule);
  const mechanic = await school.join(["mechanic"]);
  expect(await refused(mechanic)).not.toContain(rule);
  expect(await refused(mechanic)).toContain("person");
});
