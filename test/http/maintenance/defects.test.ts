import { expect, test } from "bun:test";
import { findings, release } from "../../support/release.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { alertNames, maintenanceDueOf, signedIn } from "./maintaining.ts";

const defect = { description: "Left brake drags.\nOn the right turn only." };
const path = ({ aircraftId }: School) => `/aircraft/${aircraftId}/defects`;

const report = async (school: School, body: object = {}, by: Member = school.student) =>
  expectStatus(201, await by.post(path(school), { ...defect, ...body })).body.data;
const defer = (school: School, { id }: { id: string }, body: object, by: Pick<Member, "post"> = school.owner) =>
  by.post(`${path(school)}/${id}/defer`, { reason: "The part is ordered.", ...body });

test("a student reports a defect of a flight, which opens a work order", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  const reported = await report(school, { flight_id: flight.id });

  expect(reported).toMatchObject({
    ...defect,
    status: "open",
    grounding: false,
    flight_id: flight.id,
    reported_by: school.student.userId,
  });
  const order = (await school.owner.get(`/maintenance/work-orders/${reported.work_order_id}`)).body.data;
  expect(order).toMatchObject({ status: "open", title: "Defect: Left brake drags.", items: [] });
  expect((await school.aircraft()).status).toBe("available");
  expect(await alertNames(school)).toEqual(["work_order_opened"]);
  expect((await school.student.get(path(school))).body.data).toEqual([reported]);
  expect((await school.student.get(`${path(school)}?status=deferred`)).body.data).toEqual([]);
});

test("the title of its work order is one line, and is cut after a word, or between characters", async () => {
  const school = await newSchool();
  const reported = await report(school, { description: `${"x".repeat(99)}\u{1f6e9} on the left\nand more` });
  const titled = async ({ work_order_id }: { work_order_id: string }) =>
    (await school.owner.get(`/maintenance/work-orders/${work_order_id}`)).body.data.title;
  expect(await titled(reported)).toBe(`Defect: ${"x".repeat(99)}…`);
  const drags = "Left brake drags. ".repeat(5);
  const long = await report(school, { description: `${drags}It squeals, too.` });
  expect(await titled(long)).toBe(`Defect: ${drags}It…`);
  const between = await report(school, { description: `${drags}It howls. Too.` });
  expect(await titled(between)).toBe(`Defect: ${drags}It howls.…`);
  const tabbed = await report(school, { description: "Brake:\tdrags." });
  expect(await titled(tabbed)).toBe("Defect: Brake: drags.");
});

test("a defect can't name a flight of another aircraft or one that the reporter may not see", async () => {
  const school = await newSchool();
  const other = { registration: "D-EFGH", model: "PA-28", class: "SEP" };
  const { id: otherId } = expectStatus(201, await school.owner.post("/aircraft", other)).body.data;
  const elsewhere = await school.submitFlight(school.student, { body: { aircraft_id: otherId } });
  const mate = await school.join(["student"]);
  const flight = await school.submitFlight(school.student);
  for (const [by, flight_id] of [
    [school.student, elsewhere.id],
    [mate, flight.id],
    [school.student, "01890a5d-ac96-774b-bcce-b302099a8057"],
  ] as const) {
    const [issue] = expectStatus(400, await by.post(path(school), { ...defect, flight_id })).body.issues;
    expect(issue.path).toBe("body.flight_id");
  }
  expect((await school.owner.get("/maintenance/work-orders")).body.data).toEqual([]);
});

test("a grounding defect grounds at once, until its work order is completed", async () => {
  const school = await newSchool();
  const { owner } = school;
  const reported = await report(school, { grounding: true });
  expect(await school.aircraft()).toMatchObject({
    status: "grounded",
    groundings: [{ kind: "defect", subject_id: reported.id, grounded_by: school.student.userId }],
  });
  expect(await alertNames(school)).toEqual(["work_order_opened", "aircraft_grounded"]);

  const order = `/maintenance/work-orders/${reported.work_order_id}`;
  expectStatus(200, await owner.post(`${order}/start`));
  expectStatus(200, await owner.patch(order, { findings }));
  expectStatus(200, await owner.post(`${order}/complete`, release));
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
  const rectified = (await owner.get(`${path(school)}/${reported.id}`)).body.data;
  expect(rectified).toMatchObject({ status: "rectified", rectified_at: "2026-06-14T09:00:00.000Z" });
  expect(expectStatus(409, await defer(school, reported, { hours: "1.00" })).body.error.message).toContain("rectified");
});

test("a defect that is deferred by hours grounds when a flight goes beyond them, and a reversal lifts that", async () => {
  const school = await newOwnSchool();
  const reported = await report(school, { grounding: true });
  const deferred = expectStatus(200, await defer(school, reported, { hours: "2.00" })).body.data;
  expect(deferred).toMatchObject({ status: "deferred", deferred_until_airframe_minutes: 74_190, deferred_until: null });
  expect((await school.aircraft()).status).toBe("available");

  school.installation.clock.advance(5 * 3_600_000);
  const owner = await signedIn(school);
  const aircraft = async () => (await owner.get(`/aircraft/${school.aircraftId}`)).body.data;
  const flyOn = async (blockMinutes: number) => {
    const { id } = expectStatus(201, await owner.post("/flights", school.flightBody({ blockMinutes }))).body.data;
    expectStatus(200, await owner.post(`/flights/${id}/submit`));
    expectStatus(200, await owner.post(`/flights/${id}/approve`));
    return id;
  };
  await flyOn(120);
  expect((await aircraft()).status).toBe("available");
  const last = await flyOn(1);
  expect(await aircraft()).toMatchObject({ status: "grounded", groundings: [{ subject_id: reported.id }] });
  expectStatus(200, await owner.post(`/flights/${last}/reverse`, { reason: "A mistake." }));
  expect((await aircraft()).status).toBe("available");
  await flyOn(1);
  expect((await aircraft()).status).toBe("grounded");
  expectStatus(200, await defer(school, reported, { hours: "1.00" }, owner));
  expect((await aircraft()).status).toBe("available");
});

test("a defect that is deferred to a date grounds by the job when the day has passed", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const run = maintenanceDueOf(school);
  const reported = await report(school);
  expectStatus(400, await defer(school, reported, {}));
  expectStatus(400, await defer(school, reported, { until: "2026-06-13" }));
  expectStatus(403, await defer(school, reported, { until: "2026-07-01" }, school.instructor));
  expectStatus(200, await defer(school, reported, { until: "2026-07-01" }));

  clock.set("2026-07-01T21:59:59.999Z");
  expect(await run()).toBe("nothing_due");
  clock.set("2026-07-01T22:00:00.000Z");
  expect(await run()).toEqual({ summary: "Assessed 1 aircraft in 1 school.", failed: false });
  expect(await run()).toBe("nothing_due");
  const owner = await signedIn(school);
  const aircraft = async () => (await owner.get(`/aircraft/${school.aircraftId}`)).body.data;
  expect(await aircraft()).toMatchObject({ status: "grounded", groundings: [{ subject_id: reported.id }] });
  expectStatus(200, await defer(school, reported, { until: "2026-07-10" }, owner));
  expect((await aircraft()).status).toBe("available");
});

test("the defects of the fleet are listed newest first, with their aircraft, by status", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const other = { registration: "D-EFGH", model: "PA-28", class: "SEP" };
  const { id: otherId } = expectStatus(201, await owner.post("/aircraft", other)).body.data;
  const first = await report(school);
  const second = expectStatus(201, await owner.post(`/aircraft/${otherId}/defects`, { description: "Flat tyre." })).body
    .data;
  expectStatus(200, await defer(school, first, { until: "2026-07-01" }));
  const list = async (query: string) =>
    expectStatus(200, await owner.get(`/maintenance/defects${query}`)).body.data.map(
      (one: { id: string; aircraft_registration: string }) => `${one.id} ${one.aircraft_registration}`,
    );
  // Ids of one millisecond are in no order.
  const newestFirst = [`${first.id} D-EABC`, `${second.id} D-EFGH`].toSorted().toReversed();
  expect(await list("")).toEqual(newestFirst);
  expect(await list("?status=deferred")).toEqual([`${first.id} D-EABC`]);
  expectStatus(403, await student.get("/maintenance/defects"));
});

test("a deferral that ended with the defect leaves the job nothing to do", async () => {
  const school = await newOwnSchool();
  const reported = await report(school);
  expectStatus(200, await defer(school, reported, { until: "2026-07-01" }));
  const order = `/maintenance/work-orders/${reported.work_order_id}`;
  expectStatus(200, await school.owner.post(`${order}/start`));
  expectStatus(200, await school.owner.patch(order, { findings }));
  expectStatus(200, await school.owner.post(`${order}/complete`, release));
  school.installation.clock.set("2026-07-02T12:00:00.000Z");
  expect(await maintenanceDueOf(school)()).toBe("nothing_due");
});

test("a defect that is worse than it looked grounds the aircraft, also when it is deferred, until the release", async () => {
  const school = await newSchool();
  const reported = await report(school);
  const worsen = (by: Pick<Member, "post">) => by.post(`${path(school)}/${reported.id}/ground`);
  expectStatus(403, await worsen(school.student));
  expectStatus(200, await defer(school, reported, { until: "2026-07-14", hours: "10.00" }));
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });

  expect(expectStatus(200, await worsen(school.owner)).body.data).toMatchObject({
    ...{ status: "open", grounding: true },
    ...{ deferral_reason: null, deferred_until: null, deferred_until_airframe_minutes: null },
  });
  expectStatus(200, await worsen(school.owner));
  expect(await school.aircraft()).toMatchObject({ status: "grounded", groundings: [{ kind: "defect" }] });

  expectStatus(200, await defer(school, reported, { until: "2026-07-14" }));
  expect(await school.aircraft()).toMatchObject({ status: "available" });
  expectStatus(200, await worsen(school.owner));
  const order = `/maintenance/work-orders/${reported.work_order_id}`;
  expectStatus(200, await school.owner.patch(order, { findings }));
  expectStatus(200, await school.owner.post(`${order}/start`));
  expectStatus(200, await school.owner.post(`${order}/complete`, release));
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
  expectStatus(409, await worsen(school.owner));
});
