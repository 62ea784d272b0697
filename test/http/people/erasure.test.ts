/** What an erasure does with flights, sessions and their texts. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { afterThisTest } from "../../support/after-test.ts";
import { erased } from "../../support/free-texts.ts";
import { newInstallation } from "../../support/installation.ts";
import { completeBuyer, newInvoice, sendInvoice } from "../../support/money.ts";
import { csv, expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { booked, cancel, during } from "../planning/booking.ts";
import { enroll, newTrainingSchool, small } from "../training/school.ts";

const name = "Mia Muster";

const newPerson = async ({ owner }: Pick<School, "owner">): Promise<string> =>
  expectStatus(201, await owner.post("/people", { name, types: ["pilot", "student"] })).body.data.id;

const flownBy = (person_id: string) => ({ body: { crew: [{ person_id, function: "solo" }] } });

test("a flight that was rejected, or drafted, holds nobody's erasure; one that was approved or reversed does", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const flies = async (verbs: string[]) => {
    const id = await newPerson(school);
    const flight = await (verbs.length > 0 ? school.submitFlight : school.draftFlight)(instructor, flownBy(id));
    for (const verb of verbs)
      expectStatus(200, await owner.post(`/flights/${flight.id}/${verb}`, verb === "approve" ? {} : { reason: "No." }));
    return (await owner.post(`/people/${id}/erase`)).body.error?.reason;
  };
  expect(await flies(["approve"])).toBe("records_kept");
  expect(await flies(["approve", "reverse"])).toBe("records_kept");
  expect(await flies(["reject"])).toBeUndefined();
  expect(await flies([])).toBeUndefined();
});

test("records are kept from the last of the flights on: all of an ATO, those of training of another school", async () => {
  const school = await newSchool();
  const { owner, orgId } = school;
  const email = "gerda@example.com";
  const { id } = expectStatus(201, await owner.post("/people", { name: "Gerda", email, types: ["pilot"] })).body.data;
  const columns = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic,solo";
  const line = (day: string, crew: string) => `D-EABC,${day}T08:00:00Z,${day}T09:00:00Z,EDFE,EDFE,1,${crew}`;
  const lines = [
    ...[line("2025-11-02", `,${email}`), line("2025-12-03", `,${email}`)],
    ...[line("2026-01-04", `${email},`), line("2026-02-05", `${email},`)],
  ];
  const body = csv([columns, ...lines].join("\n"));
  expectStatus(200, await owner.call("POST", `/orgs/${orgId}/flights/import`, { body }));
  for (const [kind, until] of [
    ["ato", "2031-02-05"],
    ["dto", "2028-12-03"],
  ]) {
    expectStatus(200, await owner.patch("", { kind }));
    const { error } = expectStatus(409, await owner.post(`/people/${id}/erase`)).body;
    expect([kind, error.reason, error.until]).toEqual([kind, "records_kept", until]);
  }
});

test("the last flight on which a person was trained holds their erasure, also behind a thousand others", async () => {
  const school = await newSchool();
  const { owner, orgId } = school;
  expectStatus(200, await owner.patch("", { kind: "club" })); // which keeps training records only
  const email = "frieda@example.com";
  const { id } = expectStatus(201, await owner.post("/people", { name: "Frieda", email, types: ["pilot"] })).body.data;
  const at = (minutes: number) => new Date(Date.parse("2026-01-10T00:00:00Z") + minutes * 60_000).toISOString();
  const lines = Array.from({ length: 1001 }, (_, index) => {
    const crew = index === 0 ? `,${email}` : `${email},`;
    return `D-EABC,${at(index * 20)},${at(index * 20 + 10)},EDFE,EDFE,1,${crew}`;
  });
  const columns = "registration,off_block_at,on_block_at,departure,arrival,day_landings,pic,solo";
  const body = csv([columns, ...lines].join("\n"));
  expectStatus(200, await owner.call("POST", `/orgs/${orgId}/flights/import`, { body }));
  const { error } = expectStatus(409, await owner.post(`/people/${id}/erase`)).body;
  expect(error).toMatchObject({
    reason: "records_kept",
    until: "2029-01-10",
    message: expect.stringContaining("until 2029-01-10"),
  });
});

test("an erasure deletes the drafts of nobody else with all that refers to them, and clears the texts of own flights, which mirrors see", async () => {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const id = await newPerson(school);
  const draft = await school.draftFlight(instructor, flownBy(id));
  expectStatus(200, await owner.patch(`/finance/flights/${draft.id}`, { payer_id: id }));
  const noticed = { description: "Flat tyre.", flight_id: draft.id };
  const defect = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, noticed)).body.data;
  const crew = [
    { person_id: instructor.personId, function: "instructor" },
    { person_id: id, function: "dual" },
  ];
  const shared = await school.draftFlight(instructor, { body: { crew, remarks: "Shared." } });
  const texts = { remarks: "Landed hard.", workshop_remarks: "Tyre worn.", lesson: "Circuits" };
  const body = { ...flownBy(id).body, ...texts };
  const rejected = await school.submitFlight(instructor, { body });
  expectStatus(200, await owner.post(`/flights/${rejected.id}/reject`, { reason: "Not true." }));
  const others = await school.submitFlight(student, { body: { remarks: `Saw ${name}.` } });
  const key = await school.apiKey("public.flights:read");
  const changes = async (cursor = "") =>
    expectStatus(200, await school.publicGet(`/flights?updated_since=2000-01-01T00:00:00Z${cursor}`, key)).body;
  const { last_cursor } = (await changes()).page;
  expectStatus(200, await owner.post(`/people/${id}/erase`));

  expectStatus(404, await owner.get(`/flights/${draft.id}`));
  const { data } = await owner.get(`/aircraft/${aircraftId}/defects`).then(({ body }) => body);
  expect(data).toMatchObject([{ id: defect.id, description: "Flat tyre.", flight_id: null }]);
  const flight = async (one: { id: string }) => expectStatus(200, await owner.get(`/flights/${one.id}`)).body.data;
  expect(await flight(shared)).toMatchObject({ status: "draft", remarks: null });
  expect(await flight(rejected)).toMatchObject({
    ...{ status: "rejected", remarks: null, workshop_remarks: null, lesson: null, rejection_reason: null },
    ...{ block_minutes: rejected.block_minutes, crew: [{ person_id: id, name: "Erased person", function: "solo" }] },
  });
  expect((await flight(others)).remarks).toBe("Saw Erased person.");
  const seen = (await changes(`&cursor=${encodeURIComponent(last_cursor)}`)).data;
  expect(seen.map((one: { id: string }) => one.id).sort()).toEqual([rejected.id, others.id].sort());
});

test("an erasure clears the notes of own sessions, and the title where nobody else takes part", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const id = await newPerson(school);
  const ground = (start: string, student_ids: string[]) =>
    booked(owner, { ...during(start), kind: "ground", student_ids, title: `Theory, ${name}`, notes: "Note." });
  const own = await ground("2098-07-01T10:00Z", [id]);
  const shared = await ground("2098-07-02T10:00Z", [id, student.personId]);
  const others = await ground("2098-07-03T10:00Z", [student.personId]);
  expectStatus(200, await owner.post(`/planning/sessions/${own.id}/cancel`, { reason: "student", note: "Ill." }));
  await cancel(school, shared);
  expectStatus(200, await owner.patch(`/planning/sessions/${others.id}`, { notes: `With ${name}.` }));
  const session = async (one: { id: string }) =>
    expectStatus(200, await owner.get(`/planning/sessions/${one.id}`)).body.data;
  const before = await session(others);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect(await session(own)).toMatchObject({ title: null, notes: null, cancellation: { note: null } });
  expect(await session(shared)).toMatchObject({ title: "Theory, Erased person", notes: null });
  const after = await session(others);
  expect(after).toMatchObject({ title: "Theory, Erased person", notes: "With Erased person." });
  expect(after.updated_at > before.updated_at).toBe(true);
});

const MARKER = "XQ-ERASE-XQ";
/** An address that is the person's is replaced in all texts, which would hide that a text of their own is left. */
const ADDRESS = "xq@address.example";

/** The person's own rows. Files, packs, links and what is sent have tests of their own. */
const ownRows = (id: string): Readonly<Record<string, SQL>> => {
  const flights = sql`(select flight_id from flight_crew where person_id = ${id})`;
  const sessions = sql`(select session_id from planning_session_resources where resource_id = ${id})`;
  return {
    people: sql`id = ${id}`,
    former_links: sql`person_id = ${id}`,
    flight_flyers: sql`person_id = ${id}`,
    flights: sql`id in ${flights}`,
    compliance_records: sql`person_id = ${id}`,
    training_enrollments: sql`student_id = ${id}`,
    training_exams: sql`student_id = ${id}`,
    training_ground_sessions: sql`student_id = ${id}`,
    training_signoffs: sql`student_id = ${id}`,
    planning_absences: sql`person_id = ${id}`,
    planning_sessions: sql`id in ${sessions}`,
    finance_customers: sql`id = ${id}`,
    finance_charges: sql`person_id = ${id}`,
    finance_flights: sql`flight_id in ${flights}`,
    finance_invoices: sql`person_id = ${id}`,
    finance_invoice_lines: sql`invoice_id in (select id from finance_invoices where person_id = ${id})`,
    finance_payments: sql`person_id = ${id}`,
    finance_refunds: sql`person_id = ${id}`,
  };
};

/** Columns of JSON whose text is within an object. */
const json: Readonly<Record<string, string>> = {
  ratings: JSON.stringify([MARKER]),
  other_levels: JSON.stringify([MARKER]),
  buyer: JSON.stringify({ name: MARKER, city: MARKER, country: "DE" }),
  credits: JSON.stringify([{ measure: "dual_minutes", amount: 60, reason: MARKER }]),
};

test("no text of a person's own records is left in the file, whichever column it is in", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-"));
  afterThisTest(() => rm(directory, { recursive: true }));
  const installation = await newInstallation({ directory });
  const school = await newTrainingSchool(small, installation);
  const { owner, instructor, revision } = school;
  const id = await withRecords(school);
  const enrollment = await enroll(school, { student_id: id });
  const path = `/training/enrollments/${enrollment}`;
  const lesson = revision.lesson("3");
  const session = { lesson_id: lesson.id, held_on: "2026-06-10", minutes: 45 };
  expectStatus(201, await instructor.post(`${path}/ground-sessions`, session));
  const signoff = { enrollment_id: enrollment, item_id: lesson.items[0].id, grade: "ok" };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
  expectStatus(200, await owner.post(`${path}/withdraw`, { reason: "Moved." }));

  await tenantOf(school).write(async (tx) => {
    // A program with an exam would need all that comes before it.
    await tx.run(sql`insert into training_exams
      (id, kind, taken_on, passed, enrollment_id, student_id, status, created_by, created_at, updated_at)
      select 'exam', 'skill_test', '2026-06-10', 1, id, student_id, 'recorded', 'user', created_at, updated_at
      from training_enrollments`);
    for (const [table, own] of Object.entries(ownRows(id)))
      for (const column of (erased[table] ?? "").split(" ").filter((one) => one !== "findings")) {
        const text = json[column] ?? (column === "email" ? ADDRESS : MARKER);
        await tx.run(sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${text} where ${own}`);
        const [row] = await tx.values<[number]>(sql`select count(*) from ${sql.identifier(table)} where ${own}`);
        expect([table, Number(row?.[0]) > 0]).toEqual([table, true]);
      }
  });
  installation.clock.set("2037-01-02T12:00:00.000Z");
  const signIn = { email: owner.email, password };
  const { access_token: token } = (await installation.call("POST", "/auth/login", { body: signIn })).body;
  expectStatus(200, await installation.call("POST", `/orgs/${school.orgId}/people/${id}/erase`, { token }));
  for (const [table, own] of Object.entries(ownRows(id))) {
    const left = await tenantOf(school).read((reader) =>
      reader.values(sql`select * from ${sql.identifier(table)} where ${own}`),
    );
    expect([table, JSON.stringify(left).match(new RegExp(`${MARKER}|${ADDRESS}`))]).toEqual([table, null]);
  }
  await installation.close();
  const bytes = await readFile(join(directory, `${school.orgId}.db`));
  for (const text of [MARKER, ADDRESS]) expect(bytes.includes(text)).toBe(false);
});

/** @returns a person with records, flights, a session and an account with the school */
async function withRecords(school: School): Promise<string> {
  const { owner, instructor } = school;
  const id = await newPerson(school);
  for (const email of ["a@erase.example", "b@erase.example"])
    expectStatus(200, await owner.patch(`/people/${id}`, { email }));
  for (const verb of ["approve", "reject"]) {
    const flight = await school.submitFlight(instructor, flownBy(id));
    expectStatus(200, await owner.patch(`/finance/flights/${flight.id}`, { payer_id: id }));
    expectStatus(200, await owner.post(`/flights/${flight.id}/${verb}`, verb === "reject" ? { reason: "No." } : {}));
  }
  const session = await booked(owner, { ...during("2026-06-20T10:00Z"), kind: "ground", student_ids: [id] });
  await cancel(school, session);
  expectStatus(201, await owner.post("/compliance/records", { person_id: id, type: "night", issued_on: "2025-01-15" }));
  const away = { person_id: id, from_on: "2026-07-01", until_on: "2026-07-02" };
  expectStatus(201, await owner.post("/planning/absences", away));
  expectStatus(200, await owner.patch(`/finance/customers/${id}`, { company: "Muster GmbH" }));
  const piece = { quantity: "1.00", unit: "piece", unit_price_minor: 1000, description: "Headset" };
  expectStatus(201, await owner.post("/finance/charges", { ...piece, person_id: id, on: "2026-06-01" }));
  await completeBuyer(school, id);
  await sendInvoice(school, await newInvoice(school, { person_id: id }));
  const paid = { person_id: id, amount_minor: 2000, method: "cash" };
  const payment = expectStatus(201, await owner.post("/finance/payments", paid)).body.data;
  expectStatus(200, await owner.post(`/finance/payments/${payment.id}/refund`, { amount_minor: 10, reason: "Over." }));
  return id;
}
