/** The trace of an event is that of the request or the run of a job that caused it. */
import { expect, test } from "bun:test";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { days } from "../../../src/core/clock.ts";
import { events } from "../../../src/events/events.tables.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, type School, times } from "../../support/school.ts";
import { tenantOf } from "./events.ts";

const traceId = (n: number) => `0af7651916cd43dd8448eb21${String(n).padStart(8, "0")}`;
const caller = "b7ad6b7169203331";
const traceparent = (n: number) => `00-${traceId(n)}-${caller}-01`;

const eventsOf = (school: School) =>
  tenantOf(school).read((reader) =>
    reader.select({ type: events.type, traceparent: events.traceparent }).from(events).orderBy(events.id),
  );

async function linesOf({ logged }: Installation, msg: string) {
  await yieldToEventLoop();
  return logged.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
}

test("events have the spans of the requests that caused them, even when many are served at once", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const flights: { id: string }[] = [];
  for (const _ of times(5, () => 0)) flights.push(await school.submitFlight(school.student));
  const { token } = school.instructor;
  await Promise.all(
    flights.map(async ({ id }, n) => {
      const path = `/orgs/${school.orgId}/flights/${id}/approve`;
      expectStatus(200, await installation.call("POST", path, { token, headers: { traceparent: traceparent(n) } }));
    }),
  );

  const requests = await linesOf(installation, "request");
  const spans = requests.filter(({ route }) => route.endsWith("/approve"));
  expect(spans).toHaveLength(5);
  const approved = (await eventsOf(school)).filter(({ type }) => type === "flight.approved");
  expect(approved.map((event) => event.traceparent).sort()).toEqual(
    spans.map(({ trace_id, span_id }) => `00-${trace_id}-${span_id}-01`).sort(),
  );
  expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set(times(5, traceId)));
});

test("events of a job have the span of its run, whoever started it", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const medical = { person_id: school.student.personId, type: "medical", level: "class_2", issued_on: "2026-01-10" };
  expectStatus(201, await school.owner.post("/compliance/records", { ...medical, valid_until: "2026-09-01" }));
  installation.clock.advance(days(30));

  await installation.scheduler.runNow("medical-expiry");

  const [run] = (await linesOf(installation, "job")).filter(({ job }) => job === "medical-expiry");
  expect(run.trace_id).toMatch(/^[0-9a-f]{32}$/);
  const expiring = (await eventsOf(school)).filter(({ type }) => type === "medical.expiring");
  expect(expiring).toEqual([{ type: "medical.expiring", traceparent: `00-${run.trace_id}-${run.span_id}-00` }]);
});
