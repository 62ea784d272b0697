/** An aircraft of class FSTD is a simulator: its sessions are no flights. */
import { expect, test } from "bun:test";
import { expectStatus, newSchool, type School } from "../../support/school.ts";

async function withSimulator(): Promise<{ school: School; simulatorId: string; session: Record<string, unknown> }> {
  const school = await newSchool();
  const simulator = { registration: "DE-1A-001", model: "FNPT II", class: "FSTD", hobbs: "500.00", landings: 7 };
  const simulatorId: string = expectStatus(201, await school.owner.post("/aircraft", simulator)).body.data.id;
  const session = {
    ...{ aircraft_id: simulatorId, nature: "simulator", day_landings: 0, departure: null, arrival: null },
    crew: [
      { person_id: school.instructor.personId, function: "instructor" },
      { person_id: school.student.personId, function: "dual" },
    ],
  };
  return { school, simulatorId, session };
}

test("a session advances the hour counters of the simulator, and neither airframe time nor landings", async () => {
  const { school, simulatorId, session } = await withSimulator();
  const { owner, student } = school;
  const readings = { hobbs_start: "500.00", hobbs_end: "501.00" };
  const submitted = await school.submitFlight(student, { body: { ...session, ...readings } });
  expect(submitted).toMatchObject({ nature: "simulator", block_minutes: 62, airborne_minutes: null, warnings: [] });
  const simulator = async () => expectStatus(200, await owner.get(`/aircraft/${simulatorId}`)).body.data;

  expectStatus(200, await owner.post(`/flights/${submitted.id}/approve`));
  expect(await simulator()).toMatchObject({ hobbs: "501.00", airframe_minutes: 0, landings: 7 });
  expectStatus(200, await owner.post(`/flights/${submitted.id}/reverse`, { reason: "Another student." }));
  expect(await simulator()).toMatchObject({ hobbs: "500.00", airframe_minutes: 0, landings: 7 });
});

test.each([
  ["day_landings", 1],
  ["night_landings", 1],
  ["night_minutes", 5],
  ["ifr_minutes", 5],
  ["passengers", 1],
  ["fuel_uplift_litres", "20.00"],
  ["oil_uplift_litres", "1.00"],
  ["take_off_at", "2026-06-14T07:30:00Z"],
  ["landing_at", "2026-06-14T07:30:00Z"],
])("a session has no %s", async (field, value) => {
  const { school, session } = await withSimulator();
  const body = school.flightBody({ body: { ...session, [field]: value } });
  const { issues } = expectStatus(400, await school.student.post("/flights", body)).body;
  expect(issues).toEqual([{ path: `body.${field}`, code: "impossible", message: "A simulator session has none." }]);
});

test("the nature of a session is `simulator`, and of no flight", async () => {
  const { school, simulatorId, session } = await withSimulator();
  const refused = async (body: object) => {
    const { issues } = expectStatus(
      400,
      await school.student.post("/flights", school.flightBody({ body: { ...body } })),
    ).body;
    return issues;
  };
  for (const nature of [null, "training"])
    expect(await refused({ ...session, nature })).toMatchObject([{ path: "body.nature", code: "impossible" }]);
  expect(await refused({ nature: "simulator", day_landings: 0 })).toMatchObject([
    { path: "body.nature", message: "A simulator session needs an aircraft of class FSTD." },
  ]);

  const draft = await school.draftFlight(school.student);
  const edit = (change: object) => school.student.patch(`/flights/${draft.id}`, change);
  expect(expectStatus(400, await edit({ aircraft_id: simulatorId })).body.issues[0].path).toBe("body.nature");
  expectStatus(200, await edit({ aircraft_id: simulatorId, nature: "simulator", day_landings: 0 }));
});

test("an aircraft with flights does not become a simulator, and a simulator with sessions no aircraft", async () => {
  const { school, simulatorId, session } = await withSimulator();
  const { owner, student, aircraftId } = school;
  const change = (id: string, type: string) => owner.patch(`/aircraft/${id}`, { class: type });
  expectStatus(200, await change(simulatorId, "SEP"));
  expectStatus(200, await change(simulatorId, "FSTD"));
  await school.draftFlight(student);
  await school.draftFlight(student, { body: session });

  for (const [id, type] of [
    [aircraftId, "FSTD"],
    [simulatorId, "other"],
  ] as const)
    expect(expectStatus(409, await change(id, type)).body.error.reason).toBe("aircraft_has_flights");
  expectStatus(200, await change(aircraftId, "TMG"));
  expectStatus(200, await owner.patch(`/aircraft/${simulatorId}`, { class: "FSTD", model: "FNPT II MCC" }));
});

test("a simulator needs a qualification, where an aircraft needs ARC and insurance, and is grounded without", async () => {
  const { school, simulatorId } = await withSimulator();
  const { owner } = school;
  const evaluation = async () => {
    const { data } = expectStatus(200, await owner.get(`/compliance/evaluations?aircraft_id=${simulatorId}`)).body;
    const [{ status, reasons }] = data;
    return [status, ...reasons.map((reason: { any_of: string[] }) => reason.any_of.join())];
  };
  expect(await evaluation()).toEqual(["not_compliant", "fstd_qualification"]);
  const record = { aircraft_id: simulatorId, type: "fstd_qualification", issued_on: "2026-01-10" };
  expectStatus(201, await owner.post("/compliance/records", { ...record, valid_until: "2027-01-09" }));
  expect(await evaluation()).toEqual(["compliant"]);
  expectStatus(200, await owner.patch(`/aircraft/${simulatorId}`, { class: "SEP" }));
  expect(await evaluation()).toEqual(["not_compliant", "arc", "insurance"]);
  expectStatus(200, await owner.patch(`/aircraft/${simulatorId}`, { class: "FSTD" }));

  expectStatus(
    201,
    await owner.post("/compliance/records", { ...record, issued_on: "2026-02-01", valid_until: "2026-06-01" }),
  );
  const { status, groundings } = expectStatus(200, await owner.get(`/aircraft/${simulatorId}`)).body.data;
  expect([status, groundings[0].note]).toEqual(["grounded", "No valid FSTD qualification certificate."]);
  const key = await school.apiKey("public.fleet:read");
  const fleet = expectStatus(200, await school.publicGet("/fleet", key)).body.data;
  expect(fleet).toContainEqual(expect.objectContaining({ id: simulatorId, class: "FSTD", status: "grounded" }));
});
