/** What waits for a caller, by what they may read; and the first steps of a school. */
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { hours, minutes } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { webhookUrl } from "../integrations/scenery.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { wish } from "../planning/booking.ts";
import { enroll as enrollIn, newTrainingSchool } from "../training/school.ts";

const todayOf = async (member: Member) => expectStatus(200, await member.get("/today")).body.data;

describe("GET …/today", () => {
  test("has for an owner what the school waits for, and for a student only what is theirs", async () => {
    const school = await newSchool();
    const { owner, student, instructor, aircraftId } = school;
    await school.submitFlight(student);
    await school.submitFlight(student);
    expectStatus(201, await student.post("/flights", school.flightBody()));
    const report = { description: "Nose wheel shimmies.", grounding: true };
    expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, report));
    const all = await todayOf(owner);
    expect(all.approvals).toMatchObject({ count: 2, rows: [{ status: "submitted" }, { status: "submitted" }] });
    expect(all.drafts).toEqual({ count: 0, rows: [] });
    expect(all.aircraft.rows).toMatchObject([{ aircraft: { id: aircraftId }, status: "grounded" }]);
    expect(all.aircraft.rows[0].groundings).toMatchObject([{ kind: "defect" }]);
    expect(all.defects).toMatchObject({
      count: 1,
      rows: [{ aircraft: { id: aircraftId }, ...{ description: report.description } }],
    });
    expect(all.lapses.count).toBe(all.lapses.rows.length);
    expect(all).toMatchObject({ failing_endpoints: 0, wishes: 0 });

    const own = await todayOf(student);
    expect(own.drafts).toMatchObject({ count: 1, rows: [{ status: "draft" }] });
    expect(own).toMatchObject({
      approvals: null,
      aircraft: null,
      lapses: null,
      defects: null,
      failing_endpoints: null,
    });
    expect(own).toMatchObject({ wishes: null, signoffs: 0, account: { person_id: student.personId } });
    expect((await todayOf(instructor)).approvals.count).toBe(2);
  });

  test("has at most six rows of a part, and the count of all", async () => {
    const school = await newSchool();
    for (let count = 0; count < 7; count += 1) await school.submitFlight(school.student);
    const { approvals } = await todayOf(school.owner);
    expect([approvals.count, approvals.rows.length]).toEqual([7, 6]);
  });

  test("has the caller's drafts and rejected flights, the last changed first, and nobody else's", async () => {
    const school = await newOwnSchool();
    const { owner, student, installation } = school;
    const draft = async () => {
      installation.clock.advance(minutes(1));
      return expectStatus(201, await student.post("/flights", school.flightBody())).body.data.id;
    };
    const [first, second] = [await draft(), await draft()];
    expectStatus(201, await owner.post("/flights", school.flightBody()));
    installation.clock.advance(minutes(1));
    const submitted = await school.submitFlight(student);
    expectStatus(200, await owner.post(`/flights/${submitted.id}/reject`, { reason: "The route is missing." }));
    const { drafts } = await todayOf(student);
    expect(drafts.rows.map(({ id }: { id: string }) => id)).toEqual([submitted.id, second, first]);
    expect(drafts.rows[0]).toMatchObject({ status: "rejected", rejection_reason: "The route is missing." });
  });

  test("has the sessions of the school's day for those who see all, and their own next ones for others", async () => {
    const school = await newSchool({ ...(await newInstallation()) });
    const { owner, student, instructor, installation } = school;
    expectStatus(200, await owner.patch("", { time_zone: "Pacific/Auckland" }));
    const { day } = await todayOf(owner);
    const begins = new Date(Temporal.PlainDate.from(day).toZonedDateTime("Pacific/Auckland").epochMilliseconds);
    const book = async (at: Date, people: object) => {
      const end_at = new Date(at.getTime() + hours(1)).toISOString();
      const body = { kind: "ground", start_at: at.toISOString(), end_at, ...people };
      return expectStatus(201, await owner.post("/planning/sessions", body)).body.data.id;
    };
    const both = { instructor_id: instructor.personId, student_ids: [student.personId] };
    const at = (hour: number) => new Date(begins.getTime() + hours(hour));
    const within = await book(at(23), both);
    const tomorrow = await book(at(24), both);
    const ids = async (member: Member) => (await todayOf(member)).bookings.rows.map(({ id }: { id: string }) => id);
    expect(installation.clock.now().getTime()).toBeLessThan(at(23).getTime());
    expect(await ids(owner)).toEqual([within]);
    expect(await ids(student)).toEqual([within, tomorrow]);
    expect((await todayOf(owner)).coming).toMatchObject({ count: 1, rows: [{ id: tomorrow }] });
    expect((await todayOf(student)).coming).toBeNull();
  });

  test("counts what students wait for, signoffs to acknowledge, and endpoints that fail", async () => {
    const school = await newTrainingSchool();
    const { owner, student, instructor, revision } = school;
    const enrollment_id = await enrollIn(school);
    await wish(student, { from_at: "2098-07-01T10:00:00Z" });

    const endpoint = { url: webhookUrl, event_types: ["webhook.test"] };
    const ids = [1, 2].map(async () => (await owner.post("/integrations/webhook-endpoints", endpoint)).body.data.id);
    const [failing] = await Promise.all(ids);
    await tenantOf(school).write((tx) =>
      tx.run(sql`update webhook_endpoints set failing_since = '2026-06-14T09:00:00.000Z' where id = ${failing}`),
    );
    const certificate = {
      person_id: instructor.personId,
      type: "fi",
      issued_on: "2025-01-15",
      valid_until: "2027-01-14",
    };
    expectStatus(201, await owner.post("/compliance/records", certificate));
    const signoff = { enrollment_id, item_id: revision.lesson("1").items[0].id, grade: "ok" };
    const { id } = expectStatus(201, await instructor.post("/training/signoffs", signoff)).body.data;
    expect(await todayOf(owner)).toMatchObject({ wishes: 1, failing_endpoints: 1 });
    expect((await todayOf(student)).signoffs).toBe(1);
    expectStatus(200, await student.post(`/training/signoffs/${id}/acknowledge`));
    expect((await todayOf(student)).signoffs).toBe(0);
  });

  test("is without the parts of features that the operator disabled", async () => {
    const school = await newSchool(await newInstallation({ env: { WINDSOCK_DISABLE: "planning,finance,training" } }));
    expect(await todayOf(school.student)).toMatchObject({ bookings: null, account: null, signoffs: null });
    expect(await todayOf(school.owner)).toMatchObject({ bookings: null, wishes: null, approvals: { count: 0 } });
  });
});

test("GET …/setup says which of the first steps are done, to those who manage the school", async () => {
  const at = await newInstallation();
  const body = {
    ...{ email: "olga@example.com", password: "correct horse battery", name: "Olga Lindner" },
    organization: { name: "Windy Hill", kind: "ato" },
  };
  const { user, organization, tokens } = expectStatus(201, await at.call("POST", "/auth/signup-org", { body })).body
    .data;
  const call = async (method: string, path: string, sent?: object) =>
    at.call(method, `/orgs/${organization.id}${path}`, { token: tokens.access_token, body: sent });
  const steps = async () => expectStatus(200, await call("GET", "/setup")).body.data;
  const none = {
    has_aircraft: false,
    has_people: false,
    has_flight: false,
    has_second_factor: false,
    has_webhook: false,
  };
  expect(await steps()).toEqual(none);
  const plane = { registration: "D-EABC", model: "Cessna 172R", class: "SEP", icao_type: "C172" };
  expectStatus(201, await call("POST", "/aircraft", plane));
  expect(await steps()).toEqual({ ...none, has_aircraft: true });
  expectStatus(201, await call("POST", "/people", { name: "Sam Weber", types: ["student"] }));
  expect(await steps()).toEqual({ ...none, has_aircraft: true, has_people: true });
  await enroll(at, { token: tokens.access_token, userId: user.id, email: body.email } as never);
  expect(await steps()).toMatchObject({ has_second_factor: true, has_flight: false });

  const school = await newSchool();
  expect((await school.student.get("/setup")).status).toBe(403);
  await school.submitFlight(school.student);
  expect(expectStatus(200, await school.owner.get("/setup")).body.data).toMatchObject({
    has_flight: true,
    has_people: true,
  });
});
