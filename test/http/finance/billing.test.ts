/** Who pays a flight, what of it is measured, and what members decide about it. */
import { expect, test } from "bun:test";
import { csv, expectStatus, type FlightOptions, newSchool, type School } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf, dual, from, openOf, previewOf, usualRates } from "./school.ts";

const previewOfDraft = async (school: School, options: FlightOptions = {}) =>
  previewOf(school, (await school.draftFlight(school.owner, options)).id);

test("the pilot under instruction or supervision pays, nobody pays a ferry or maintenance flight", async () => {
  const school = await newSchool();
  const { instructor, student, owner } = school;
  const payerOf = async (body: object) => {
    const { payer_id, free, missing } = await previewOfDraft(school, { body: { ...body } });
    return [payer_id, free, missing];
  };
  const crew = (own: string) => [
    { person_id: instructor.personId, function: "instructor" },
    { person_id: student.personId, function: own },
  ];
  await addRate(school, {});
  await addRate(school, { kind: "instructor", price_minor: 5000 });
  for (const own of ["dual", "spic"]) expect(await payerOf({ crew: crew(own) })).toEqual([student.personId, false, []]);
  expect(await payerOf({ crew: [{ person_id: owner.personId, function: "pic" }] })).toEqual([
    ...[owner.personId, false, []],
  ]);
  for (const nature of ["ferry", "maintenance"]) expect(await payerOf({ nature })).toEqual([null, true, []]);
});

test("an instructor who pays is not charged for their own time", async () => {
  const school = await newSchool();
  await usualRates(school);
  const { id } = await school.draftFlight(school.owner, { body: dual(school) });
  const kinds = async () => (await previewOf(school, id)).lines.map(({ kind }: { kind: string }) => kind);
  expect(await kinds()).toEqual(["aircraft", "instructor", "landing"]);
  expectStatus(200, await school.owner.patch(`/finance/flights/${id}`, { payer_id: school.instructor.personId }));
  expect(await kinds()).toEqual(["aircraft", "landing"]);
});

test("an aircraft is billed by its basis, and no time costs nothing", async () => {
  const school = await newSchool();
  await addRate(school, {});
  await addRate(school, { kind: "fuel_surcharge", price_minor: 1000 });
  const body = {
    ...{ off_block_at: "2026-06-14T06:00:00Z", on_block_at: "2026-06-14T07:00:00Z" },
    ...{ take_off_at: "2026-06-14T06:08:00Z", landing_at: "2026-06-14T06:51:00Z" },
    ...{ hobbs_start: "1234.50", hobbs_end: "1235.40", tacho_start: "1100.00", tacho_end: "1100.70" },
  };
  const quantities: Record<string, string> = { block: "60.00", airborne: "43.00", hobbs: "54.00", tacho: "42.00" };
  const bill = (change: object = {}) => previewOfDraft(school, { body: { ...body, ...change } });
  for (const [billing_basis, quantity] of Object.entries(quantities)) {
    expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { billing_basis }));
    expect((await bill()).lines).toMatchObject([{ quantity }, { kind: "fuel_surcharge", quantity }]);
  }
  expect(await bill({ tacho_end: "1100.00" })).toMatchObject({ lines: [], missing: [] });
});

test("a preview has the parts of its descriptions, so that it can be shown in another language than the payer's", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await usualRates(school);
  const hours = {
    name: "1 hour",
    uses: "aircraft",
    quantity: "60.00",
    price_minor: 20_000,
    valid_from: from,
    person_id: student.personId,
  };
  expectStatus(201, await owner.post("/finance/packages", hours));
  const { lines } = await previewOfDraft(school, { blockMinutes: 90, body: dual(school) });
  expect(lines).toMatchObject([
    { kind: "aircraft", description: "Flight time D-EABC, 1 hour", about: "D-EABC", package_name: "1 hour" },
    { kind: "aircraft", description: "Flight time D-EABC", about: "D-EABC", package_name: null },
    { kind: "instructor", description: "Instructor Ines Instructor", about: "Ines Instructor" },
    { kind: "landing", about: "EDKB" },
  ]);
});

test("what a flight lacks is named once, and a rate's own text is that of its charges", async () => {
  const school = await newSchool();
  await addRate(school, { description: "Cessna, wet" });
  await addRate(school, { kind: "instructor", price_minor: 5000 });
  const { lines } = await previewOfDraft(school);
  expect(lines).toMatchObject([{ description: "Cessna, wet", about: null, package_name: null }]);
  const times = { off_block_at: null, on_block_at: null };
  expect(await previewOfDraft(school, { body: { ...dual(school), ...times } })).toMatchObject({
    ...{ lines: [], missing: ["times"], on: "2026-06-14" },
  });
});

test("a payer who was named is charged by a school without rates, too: the flight is unbilled, until it is reversed", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const { id } = await school.submitFlight(student);
  expectStatus(200, await owner.patch(`/finance/flights/${id}`, { payer_id: owner.personId }));
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  const unbilled = async () => (await owner.get("/finance/unbilled-flights")).body.data;
  expect(await unbilled()).toMatchObject([{ flight_id: id, missing: ["aircraft_rate"], payer_id: owner.personId }]);
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Wrong." }));
  expect(await unbilled()).toEqual([]);
  expect(await billingOf(school, id)).toMatchObject({ status: "reversed", missing: [], charges: [] });
});

test("a flight that was approved before there were rates is free, and its crew sees no payer", async () => {
  const school = await newSchool();
  const id = await approvedFlight(school);
  expect(await billingOf(school, id)).toMatchObject({ status: "free", payer_id: null });
  expect((await school.student.get(`/finance/flights/${id}`)).status).toBe(404);
});

test("unbilled flights are listed from the oldest day on", async () => {
  const school = await newSchool();
  await addRate(school, { kind: "instructor", price_minor: 5000 });
  const days = ["2026-06-11", "2026-06-13", "2026-06-12"];
  for (const day of days)
    await approvedFlight(school, { body: { off_block_at: `${day}T08:00:00Z`, on_block_at: `${day}T09:00:00Z` } });
  const { data } = (await school.owner.get("/finance/unbilled-flights")).body;
  expect(data.map(({ on }: { on: string }) => on)).toEqual(days.toSorted());
});

test("a waived flight stays waived when its payer is named, and lacks nothing", async () => {
  const school = await newSchool();
  await addRate(school, { kind: "landing", price_minor: 700 });
  const id = await approvedFlight(school);
  expect((await billingOf(school, id)).missing).toEqual(["aircraft_rate"]);
  const waived = await school.owner.post(`/finance/flights/${id}/waive`, { reason: "A prize." });
  expect(expectStatus(200, waived).body.data).toMatchObject({ status: "waived", missing: [] });
  const named = await school.owner.patch(`/finance/flights/${id}`, { payer_id: school.owner.personId });
  expect(expectStatus(200, named).body.data).toMatchObject({ status: "waived", named_payer_id: school.owner.personId });
  expect(await openOf(school, id)).toEqual([]);
});

test("what is decided about a flight fits its status", async () => {
  const school = await newSchool();
  const { owner, orgId, student } = school;
  await usualRates(school);
  const path = (id: string) => `/finance/flights/${id}`;
  const reasonOf = async (method: string, id: string, action = "", body?: object) =>
    (await owner.call(method, `/orgs/${orgId}${path(id)}${action}`, { body })).body.error?.reason;
  const nobody = { payer_id: null };

  const id = await approvedFlight(school);
  const unknown = await owner.patch(path(id), { payer_id: school.aircraftId });
  expect(expectStatus(400, unknown).body.issues[0].path).toBe("body.payer_id");
  expect(await reasonOf("GET", id, "/preview")).toBe("wrong_status");
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Wrong." }));
  expect(await reasonOf("GET", id, "/preview")).toBe("wrong_status");
  expect(await reasonOf("PATCH", id, "", nobody)).toBe("wrong_status");

  const lines = `date,off_block,on_block,registration,departure,arrival,solo\n2026-03-01,09:00,10:00,D-EABC,EDFE,EDFE,${student.email}`;
  expectStatus(200, await owner.call("POST", `/orgs/${orgId}/flights/import`, { body: csv(lines) }));
  const imported = (await owner.get("/flights")).body.data.find((one: { imported: boolean }) => one.imported).id;
  expect(await reasonOf("POST", imported, "/charge")).toBe("flight_imported");
  expect(await reasonOf("POST", imported, "/waive", { reason: "Old." })).toBe("flight_imported");
  expect(await reasonOf("PATCH", imported, "", nobody)).toBe("flight_imported");
});

test("the fuel of a flight that a package has is missing, too, once the dry rate of the aircraft ran out", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId: aircraft_id } = school;
  const { id } = await school.draftFlight(owner, { blockMinutes: 30, body: { fuel_uplift_litres: "30.00" } });
  const { on } = await previewOf(school, id);
  const dry = await addRate(school, { aircraft_id, fuel: "dry" });
  await addRate(school, { kind: "fuel", price_minor: 250 });
  const hours = { name: "1 hour", uses: "aircraft", quantity: "60.00", price_minor: 1, valid_from: from };
  expectStatus(201, await owner.post("/finance/packages", { person_id: student.personId, ...hours }));
  const bill = async () => {
    const { lines, missing } = await previewOf(school, id);
    return [lines.map(({ kind, net_minor }: Record<string, unknown>) => [kind, net_minor]), missing];
  };
  const paidAhead = ["aircraft", 0];
  expect(await bill()).toEqual([[paidAhead, ["fuel", 7500]], []]);
  const valid_until = Temporal.PlainDate.from(on).subtract({ days: 1 }).toString();
  expectStatus(200, await owner.patch(`/finance/rates/${dry}`, { valid_until }));
  expect(await bill()).toEqual([[paidAhead], ["aircraft_rate"]]);
  // A rate with the fuel has nothing to add.
  await addRate(school, { aircraft_id, fuel: "wet", valid_from: on });
  expect(await bill()).toEqual([[paidAhead], []]);
});

test("a rate for landings or the fuel surcharge that ran out is missing, as the aircraft's is; one that never was is not", async () => {
  const school = await newSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const { id } = await school.submitFlight(school.student);
  const { on, missing } = await previewOf(school, id);
  expect(missing).toEqual([]);
  const day = (days: number) => Temporal.PlainDate.from(on).add({ days }).toString();
  const other = { person_id: school.owner.personId, valid_until: day(-1) };
  for (const kind of ["landing", "fuel_surcharge"]) {
    await addRate(school, { kind, price_minor: 700, ...other });
    await addRate(school, { kind, price_minor: 700, valid_from: day(1) });
  }
  expect((await previewOf(school, id)).missing).toEqual([]);
  const rates = [
    await addRate(school, { kind: "landing", price_minor: 700, valid_until: on }),
    await addRate(school, { kind: "fuel_surcharge", price_minor: 600, valid_until: on }),
  ];
  expect((await previewOf(school, id)).missing).toEqual([]);
  for (const rate of rates)
    expectStatus(200, await school.owner.patch(`/finance/rates/${rate}`, { valid_until: day(-1) }));
  expect((await previewOf(school, id)).missing).toEqual(["fuel_surcharge_rate", "landing_rate"]);
  expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
  expect((await billingOf(school, id)).status).toBe("unbilled");
});
