/** The verbs of a school's day build no SQL after the first time: drizzle takes longer to build it than SQLite to run it. */
import { expect, spyOn, test } from "bun:test";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Answer } from "../support/installation.ts";
import { newInvoice, sendInvoice } from "../support/money.ts";
import { expectStatus, type Member } from "../support/school.ts";
import { usualRates } from "./finance/school.ts";
import { lesson } from "./planning/booking.ts";
import { enroll, flightOf, newTrainingSchool } from "./training/school.ts";

/** A school with rates, maintenance, a training and a webhook, so that the verbs do all that they can. */
async function newBusySchool() {
  const school = await newTrainingSchool();
  const { owner, aircraftId, instructor } = school;
  await usualRates(school);
  const item = { aircraft_id: aircraftId, name: "100 hours", hours_counter: "hobbs", interval_hours: "100.00" };
  expectStatus(201, await owner.post("/maintenance/items", { ...item, last_done_on: "2026-01-01" }));
  const url = "https://hooks.example.com/";
  const event_types = ["flight.approved", "flight.submitted", "training.signoff.recorded", "payment.received"];
  expectStatus(201, await owner.post("/integrations/webhook-endpoints", { url, event_types }));
  const certificate = {
    person_id: instructor.personId,
    type: "fi",
    issued_on: "2025-01-15",
    valid_until: "2027-06-14",
  };
  expectStatus(201, await owner.post("/compliance/records", certificate));
  const enrollment_id = await enroll(school, { started_on: "2025-01-01" });
  return { ...school, enrollment_id };
}

type BusySchool = Awaited<ReturnType<typeof newBusySchool>>;

/** The verbs, with the requests that each needs before. @returns the request of the verb itself */
const verbs: Record<string, (school: BusySchool, round: number) => Promise<() => Promise<Answer>>> = {
  draft: async (school, ago) => {
    const body = flightOf(school, { lesson: "1", ago });
    return () => school.student.post("/flights", body);
  },
  submit: async (school, ago) => {
    const id = await drafted(school, school.student, ago);
    return () => school.student.post(`/flights/${id}/submit`);
  },
  approve: async (school, ago) => {
    const id = await drafted(school, school.student, ago);
    expectStatus(200, await school.student.post(`/flights/${id}/submit`));
    return () => school.owner.post(`/flights/${id}/approve`);
  },
  book: async (school, round) => {
    const body = lesson(school, `2026-07-0${round}T10:00Z`);
    return () => school.student.post("/planning/sessions", body);
  },
  "check in": async (school, round) => {
    const body = lesson(school, `2026-06-14T1${round}:00Z`);
    const { id } = expectStatus(201, await school.instructor.post("/planning/sessions", body)).body.data;
    return () => school.instructor.post(`/planning/sessions/${id}/check-in`);
  },
  "sign off": async (school) => {
    const item_id = school.revision.lesson("1").items[0].id;
    return () =>
      school.instructor.post("/training/signoffs", { enrollment_id: school.enrollment_id, item_id, grade: "ok" });
  },
  pay: async (school) => {
    const { id, gross_minor } = await newInvoice(school);
    await sendInvoice(school, { id });
    const body = { invoice_id: id, amount_minor: gross_minor, method: "cash" };
    return () => school.owner.post("/finance/payments", body);
  },
};

async function drafted(school: BusySchool, by: Member, ago: number): Promise<string> {
  return expectStatus(201, await by.post("/flights", flightOf(school, { lesson: "1", ago }))).body.data.id;
}

test.each(Object.entries(verbs))("%s builds no SQL the second time", async (_, prepare) => {
  const school = await newBusySchool();
  const first = await (await prepare(school, 1))();
  expect({ status: first.status, error: first.body.error }).toMatchObject({
    status: first.body.data ? first.status : 0,
  });
  const second = await prepare(school, 2);
  const build = spyOn(SQLiteAsyncDialect.prototype, "sqlToQuery");
  try {
    expectStatus(first.status, await second());
    expect(build.mock.results.map(({ value }) => value)).toEqual([]);
  } finally {
    build.mockRestore();
  }
});
