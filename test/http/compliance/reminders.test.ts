/** What expires when, and reminders of it by hand. */
import { describe, expect, test } from "bun:test";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { newMailingSchool } from "../notifications/mailing.ts";

const add = async (by: Member, body: object): Promise<string> =>
  expectStatus(201, await by.post("/compliance/records", body)).body.data.id;
const expiries = async (by: Member, query = "") =>
  expectStatus(200, await by.get(`/compliance/expiries?${query}`)).body.data;

describe("what expires", () => {
  test("is listed by its last day, without what is withdrawn, superseded, unlimited or archived", async () => {
    const { owner, student, instructor, aircraftId } = await newSchool();
    const of = { person_id: student.personId, issued_on: "2025-01-10" };
    const radio = await add(owner, { ...of, type: "radio", valid_until: "2026-09-01" });
    await add(owner, { ...of, type: "licence", level: "ppl" });
    const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2025-07-01", valid_until: "2026-07-01" };
    const ofAircraft = await add(owner, arc);
    const mistaken = await add(owner, { ...of, type: "ir", valid_until: "2026-07-02" });
    expectStatus(200, await owner.post(`/compliance/records/${mistaken}/withdraw`, { reason: "Another person's." }));
    const superseded = { ...of, type: "sep", issued_on: "2024-07-01", valid_until: "2026-07-03" };
    await add(owner, superseded);
    const sep = await add(owner, { ...superseded, issued_on: "2024-07-02", valid_until: "2026-06-01" });
    const left = await add(owner, { ...of, person_id: instructor.personId, type: "mep", valid_until: "2026-07-04" });

    const ids = async (by: Member, query = "") => (await expiries(by, query)).map(({ id }: { id: string }) => id);
    expect(await ids(owner)).toEqual([sep, ofAircraft, left, radio]);
    expect(await ids(owner, "from=2026-06-14&to=2026-09-01")).toEqual([ofAircraft, left]);
    expect(await ids(owner, "subject=aircraft")).toEqual([ofAircraft]);
    expect(await ids(student)).toEqual([sep, radio]);

    expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { status: "archived" }));
    expect(await ids(owner, "from=2026-06-14&to=2026-09-01")).toEqual([ofAircraft]);
  });
});

describe("a reminder", () => {
  test("is a mail to the person in their language, once in 24 hours, and is in the audit log", async () => {
    const { owner, installation, send, sent, student } = await newMailingSchool();
    const person = { name: "Paula Pilot", types: ["pilot"], email: "paula@example.com", language: "de" };
    const { id: person_id } = expectStatus(201, await owner.post("/people", person)).body.data;
    const record = { person_id, type: "mep", issued_on: "2025-08-20", valid_until: "2026-12-31" };
    const id = await add(owner, record);
    const at = `/compliance/records/${id}/remind`;
    expect((await student.post(at)).status).toBe(403);

    const before = expectStatus(200, await owner.get(`/compliance/records/${id}`)).body.data;
    const reminded = expectStatus(200, await owner.post(at)).body.data;
    expect(reminded).toEqual({ ...before, reminded_at: installation.clock.now().toISOString() });
    await send();
    expect(sent()).toMatchObject([
      { to: "paula@example.com", subject: expect.stringContaining("Klassenberechtigung MEP") },
    ]);
    const again_at = new Date(installation.clock.now().getTime() + 86_400_000).toISOString();
    expect(await owner.post(at)).toMatchObject({
      status: 409,
      body: { error: { reason: "reminded_already", again_at } },
    });
    const logged = expectStatus(200, await owner.get("/audit-log?action=compliance_record.reminded")).body.data;
    expect(logged).toHaveLength(1);

    installation.clock.advance(86_400_000);
    const later = await owner.signedInAgain();
    expectStatus(200, await later.post(at));
    await send();
    expect(sent()).toHaveLength(1);
  });

  test("is refused for who can't be reached, and for aircraft", async () => {
    const { owner, aircraftId } = await newSchool();
    const newPerson = async (fields: object) =>
      expectStatus(201, await owner.post("/people", { name: "Paula Pilot", types: ["pilot"], ...fields })).body.data.id;
    const mep = { type: "mep", issued_on: "2025-08-20", valid_until: "2026-08-31" };
    const arc = { type: "arc", issued_on: "2025-08-20", valid_until: "2026-08-19" };
    for (const record of [
      { ...mep, person_id: await newPerson({}) },
      { ...mep, person_id: await newPerson({ email: "a@example.com", receives_mails: false }) },
      { ...arc, aircraft_id: aircraftId },
    ]) {
      const id = await add(owner, record);
      const refused = await owner.post(`/compliance/records/${id}/remind`);
      expect(refused).toMatchObject({ status: 409, body: { error: { reason: "no_reminder" } } });
    }
  });
});

test("a medical that a suspension has ended expires no more: it is not listed, announced or reminded of", async () => {
  const { owner, student, announce, send, sent } = await newMailingSchool();
  const of = { person_id: student.personId, type: "medical" };
  const before = { ...of, level: "class_2", issued_on: "2025-06-20", valid_until: "2026-06-30" };
  const ended = await add(owner, before);
  const first = await add(owner, { ...of, level: "class_1", issued_on: "2026-01-10", valid_until: "2026-07-10" });
  const ids = async () => (await expiries(owner)).map(({ id }: { id: string }) => id);
  expect(await ids()).toEqual([ended, first]);
  expectStatus(200, await owner.post(`/compliance/records/${first}/withdraw`, { reason: "Suspended." }));
  expect(await ids()).toEqual([]);
  const announced = async () =>
    expectStatus(200, await owner.get("/audit-log?action=compliance_record.expiry_announced")).body.data.length;
  await announce();
  await send();
  expect([sent(), await announced()]).toEqual([[], 0]);
  const refused = await owner.post(`/compliance/records/${ended}/remind`);
  expect(refused).toMatchObject({ status: 409, body: { error: { reason: "no_reminder" } } });
  const fit = { ...of, level: "class_2", issued_on: "2026-06-14", valid_until: "2026-07-01" };
  const next = await add(owner, fit);
  expect(await ids()).toEqual([next]);
  await announce();
  await send();
  expect(sent().map(({ to }) => to)).toContain(student.email);
  expect(await announced()).toBe(1);
});
