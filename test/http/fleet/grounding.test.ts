/** An aircraft is grounded exactly while one of its reasons is not lifted. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type AircraftId, isId, newId } from "../../../src/core/ids.ts";
import { ground, liftGrounding } from "../../../src/modules/fleet/grounding/ground.ts";
import type { Tx } from "../../../src/storage/store.ts";
import { expectStatus, type Member, newSchool, type School, statuses } from "../../support/school.ts";

const reason = "Nose wheel shimmy.";

const alertsOf = async ({ owner }: School) =>
  expectStatus(200, await owner.get("/integrations/events?type=maintenance.alert")).body.data.map(
    ({ data }: { data: unknown }) => data,
  );

const groundBy = async (by: Member, aircraftId: string, why = reason) =>
  expectStatus(200, await by.post(`/aircraft/${aircraftId}/ground`, { reason: why })).body.data;

/** The postings, as another module calls them. */
function postings({ installation, orgId, aircraftId }: School) {
  if (!isId<"organization">(orgId) || !isId<"aircraft">(aircraftId)) throw new Error("A school has ids.");
  const aircraft_id: AircraftId = aircraftId;
  const tenant = installation.storage.tenants.tenant(orgId);
  const by = { actor: { kind: "job" as const, name: "compliance-evaluation" }, requestId: "" };
  const record = (subject_id: string) => ({ aircraft_id, kind: "record" as const, subject_id });
  const post = (body: (tx: Tx<"tenant">) => Promise<void>) => tenant.write(body);
  return {
    ground: (subject: string) =>
      post((tx) => ground(tx, by, { ...record(subject), note: "The insurance has expired." })),
    lift: (subject: string) => post((tx) => liftGrounding(tx, by, record(subject))),
  };
}

test("an aircraft is grounded by hand with a reason, which is shown until it is lifted", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"]);
  const { owner, aircraftId } = school;

  const grounded = await groundBy(mechanic, aircraftId);

  expect(grounded).toMatchObject({
    status: "grounded",
    groundings: [{ kind: "by_hand", subject_id: null, note: reason, grounded_by: mechanic.userId }],
  });
  expect(await school.aircraft()).toEqual(grounded);
  expect(await alertsOf(school)).toEqual([
    {
      alert: "aircraft_grounded",
      aircraft: {
        id: aircraftId,
        registration: "D-EABC",
        model: "Cessna 172S",
        icao_type: "C172",
        class: "SEP",
        status: "grounded",
      },
    },
  ]);
  const [entry] = (await owner.get(`/audit-log?subject_id=${aircraftId}`)).body.data;
  expect(entry).toMatchObject({ action: "aircraft.grounded", before: { status: "available" }, after: grounded });

  const path = `/aircraft/${aircraftId}/groundings/${grounded.groundings[0].id}/lift`;
  const lifted = expectStatus(200, await owner.post(path)).body.data;
  expect(lifted).toMatchObject({ status: "available", groundings: [] });
  const [second] = (await owner.get(`/audit-log?subject_id=${aircraftId}`)).body.data;
  expect(second).toMatchObject({ action: "aircraft.grounding_lifted", before: grounded, after: lifted });
  expect(expectStatus(409, await owner.post(path)).body.error.reason).toBe("wrong_status");
});

test("grounding by hand needs a reason, and the status can't be set without one", async () => {
  const { owner, aircraftId } = await newSchool();
  for (const body of [undefined, {}, { reason: " " }])
    expectStatus(400, await owner.post(`/aircraft/${aircraftId}/ground`, body));
  expectStatus(400, await owner.patch(`/aircraft/${aircraftId}`, { status: "grounded" }));
  expect((await owner.get(`/aircraft/${aircraftId}`)).body.data.status).toBe("available");
});

test("an aircraft with two reasons stays grounded until both are lifted, and is reported once", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  await groundBy(owner, aircraftId, "The first.");
  const { groundings } = await groundBy(owner, aircraftId, "The second.");
  // Made in the same millisecond, so in any order.
  expect(groundings.map(({ note }: { note: string }) => note).toSorted()).toEqual(["The first.", "The second."]);

  const lift = (id: string) => owner.post(`/aircraft/${aircraftId}/groundings/${id}/lift`);
  expect((await lift(groundings[0].id)).body.data).toMatchObject({
    status: "grounded",
    groundings: [groundings[1]],
  });
  expect((await lift(groundings[1].id)).body.data.status).toBe("available");
  expect(await alertsOf(school)).toHaveLength(1);
});

test("a posting grounds once for each subject, and only its own subject lifts it", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const records = postings(school);
  const [insurance, arc] = [newId(school.installation.clock), newId(school.installation.clock)];

  await records.ground(insurance);
  await records.ground(insurance);
  const { status, groundings } = await school.aircraft();
  expect(status).toBe("grounded");
  expect(groundings).toMatchObject([{ kind: "record", subject_id: insurance, grounded_by: null }]);
  await records.lift(arc);
  expect((await school.aircraft()).status).toBe("grounded");
  const byHand = await owner.post(`/aircraft/${aircraftId}/groundings/${groundings[0].id}/lift`);
  expect(expectStatus(409, byHand).body.error.reason).toBe("grounding_not_by_hand");

  await records.lift(insurance);
  await records.lift(insurance);
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
  expect(await alertsOf(school)).toHaveLength(1);
  await records.ground(insurance);
  expect((await school.aircraft()).status).toBe("grounded");
});

test("an archived aircraft keeps its reasons: it is grounded again when that is undone", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const records = postings(school);
  const insurance = newId(school.installation.clock);
  const setStatus = async (status: string) =>
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { status })).body.data;

  await groundBy(owner, aircraftId);
  expect(await setStatus("archived")).toMatchObject({ status: "archived", groundings: [{ note: reason }] });
  expectStatus(409, await owner.post(`/aircraft/${aircraftId}/ground`, { reason }));
  const restored = await setStatus("available");
  expect(restored.status).toBe("grounded");
  expect(await alertsOf(school)).toHaveLength(2);
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/groundings/${restored.groundings[0].id}/lift`));

  await setStatus("archived");
  await records.ground(insurance);
  expect((await school.aircraft()).status).toBe("archived");
  await records.lift(insurance);
  expect((await school.aircraft()).status).toBe("archived");
  expect((await setStatus("available")).status).toBe("available");
  expect(await alertsOf(school)).toHaveLength(2);
});

test("an approval and a grounding at once both take effect", async () => {
  const school = await newSchool();
  const { airframe_minutes } = await school.aircraft();
  const flight = await school.submitFlight(school.student, { blockMinutes: 62 });

  const answers = await Promise.all([
    school.owner.post(`/aircraft/${school.aircraftId}/ground`, { reason }),
    school.instructor.post(`/flights/${flight.id}/approve`),
    school.owner.post(`/aircraft/${school.aircraftId}/ground`, { reason: "Another." }),
  ]);

  expect(statuses(answers)).toEqual([200, 200, 200]);
  expect(await school.aircraft()).toMatchObject({
    status: "grounded",
    airframe_minutes: airframe_minutes + 62,
    landings: 1,
    groundings: [{ kind: "by_hand" }, { kind: "by_hand" }],
  });
  expect(await alertsOf(school)).toHaveLength(1);
});

const step = fc.record({
  act: fc.constantFrom("ground", "lift", "archive", "restore"),
  subject: fc.nat({ max: 2 }),
});

test("after any groundings and liftings, the status follows from the reasons", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const school = await newSchool();
      const records = postings(school);
      const subjects = [0, 1, 2].map(() => newId(school.installation.clock));
      const open = new Set<string>();
      let archived = false;
      for (const { act, subject: at } of steps) {
        const subject = subjects[at] ?? "";
        if (act === "ground") {
          await records.ground(subject);
          open.add(subject);
        } else if (act === "lift") {
          await records.lift(subject);
          open.delete(subject);
        } else if (archived === (act === "restore")) {
          const status = act === "restore" ? "available" : "archived";
          expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { status }));
          archived = act === "archive";
        }
        const { status, groundings } = await school.aircraft();
        expect(status).toBe(archived ? "archived" : open.size > 0 ? "grounded" : "available");
        expect(new Set(groundings.map(({ subject_id }: { subject_id: string }) => subject_id))).toEqual(open);
      }
    }),
    { numRuns: 8 },
  );
});

test("whoever lifts a reason says what was found, which the list of the aircraft's groundings keeps", async () => {
  const { owner, student, aircraftId } = await newSchool();
  const path = `/aircraft/${aircraftId}/groundings`;
  const [first] = (await groundBy(owner, aircraftId)).groundings;
  for (const note of [" ", "x".repeat(1001), null])
    expectStatus(400, await owner.post(`${path}/${first.id}/lift`, { note }));
  expectStatus(403, await student.post(`${path}/${first.id}/lift`, { note: "Done." }));
  expectStatus(200, await owner.post(`${path}/${first.id}/lift`, { note: "Shimmy damper serviced." }));
  const [second] = (await groundBy(owner, aircraftId, "Bird strike.")).groundings;
  expectStatus(200, await owner.post(`${path}/${second.id}/lift`));
  const [third] = (await groundBy(owner, aircraftId, "Flat tyre.")).groundings;

  const listed = expectStatus(200, await student.get(path)).body.data;
  expect(Object.fromEntries(listed.map((one: { id: string }) => [one.id, one]))).toMatchObject({
    [first.id]: { note: reason, lift_note: "Shimmy damper serviced.", lifted_by: owner.userId },
    [second.id]: { note: "Bird strike.", lift_note: null, lifted_by: owner.userId },
    [third.id]: { note: "Flat tyre.", lift_note: null, lifted_by: null, lifted_at: null },
  });
  expect(listed).toHaveLength(3);
  expectStatus(404, await owner.get(`/aircraft/${owner.userId}/groundings`));
});
