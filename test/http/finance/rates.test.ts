import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf, previewOf } from "./school.ts";

test("the most specific rate of the day counts: by person, by audience, by aircraft, by type, then the newest", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const { id } = await school.draftFlight(student, { blockMinutes: 60 });
  const day = (await owner.get(`/flights/${id}`)).body.data.off_block_at.slice(0, 10);
  const priced = async () => (await previewOf(school, id)).net_minor;

  // From the least specific to the most: each in turn takes precedence over all before it.
  const rates: Record<string, unknown>[] = [
    {},
    { icao_type: "C172" },
    { aircraft_id: aircraftId },
    { audience: "student" },
    { audience: "student", icao_type: "C172" },
    { audience: "student", aircraft_id: aircraftId },
    { person_id: student.personId },
    { person_id: student.personId, icao_type: "C172" },
    { person_id: student.personId, aircraft_id: aircraftId },
  ];
  for (const [at, rate] of rates.entries()) {
    await addRate(school, { ...rate, price_minor: 10_000 + at });
    expect([rate, await priced()]).toEqual([rate, 10_000 + at]);
  }
  // These are for others, or for other days.
  const others: Record<string, unknown>[] = [
    { audience: "guest", aircraft_id: aircraftId },
    { person_id: owner.personId, aircraft_id: aircraftId },
    { icao_type: "P28A" },
  ];
  for (const rate of others) await addRate(school, { ...rate, price_minor: 1 });
  await addRate(school, {
    person_id: student.personId,
    aircraft_id: aircraftId,
    price_minor: 2,
    valid_from: "2025-01-01",
    valid_until: "2025-12-31",
  });
  expect(await priced()).toBe(10_008);

  // A rate is valid through its last day.
  const [own] = (await owner.get(`/finance/rates?person_id=${student.personId}&aircraft_id=${aircraftId}`)).body.data;
  expectStatus(200, await owner.patch(`/finance/rates/${own.id}`, { valid_until: day }));
  expect(await priced()).toBe(10_008);
  const before = Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
  expectStatus(200, await owner.patch(`/finance/rates/${own.id}`, { valid_until: before }));
  expect(await priced()).toBe(10_007);
});

test("a flight is supplied on the day of its on-block where the school is, whose rates count (§ 27 (1) UStG)", async () => {
  const school = await newSchool();
  const { owner } = school;
  await addRate(school, { vat_rate: "19.00", valid_until: "2026-06-12" });
  await addRate(school, { vat_rate: "16.00", valid_from: "2026-06-13" });
  // In Berlin, 22:00 UTC is midnight.
  for (const [off_block_at, on_block_at, on, vat_rate] of [
    ["2026-06-12T21:00:00Z", "2026-06-12T21:59:00Z", "2026-06-12", "19.00"],
    ["2026-06-12T21:59:00Z", "2026-06-12T22:00:00Z", "2026-06-13", "16.00"],
  ] as const) {
    const { id } = await school.draftFlight(school.student, { body: { off_block_at, on_block_at: null } });
    expect((await previewOf(school, id)).on).toBe("2026-06-12");
    expectStatus(200, await owner.patch(`/flights/${id}`, { on_block_at }));
    expect(await previewOf(school, id)).toMatchObject({ on, lines: [{ vat_rate }] });
    const named = { payer_id: school.instructor.personId };
    expect(expectStatus(200, await owner.patch(`/finance/flights/${id}`, named)).body.data.on).toBe(on);
    expectStatus(200, await owner.post(`/flights/${id}/submit`));
    expectStatus(200, await owner.post(`/flights/${id}/approve`));
    expect(await billingOf(school, id)).toMatchObject({ on, charges: [{ on, vat_rate }] });
  }
});

test("a landing is charged by the place of arrival before any place, an instructor by their own rate", async () => {
  const school = await newSchool();
  await addRate(school, { kind: "landing", price_minor: 700 });
  await addRate(school, { kind: "landing", price_minor: 1500, place: "EDKB" });
  await addRate(school, { kind: "landing", price_minor: 1, place: "EDFE" });
  await addRate(school, { kind: "instructor", price_minor: 5000 });
  await addRate(school, { kind: "instructor", price_minor: 6000, instructor_id: school.instructor.personId });
  const crew = [
    { person_id: school.student.personId, function: "dual" },
    { person_id: school.instructor.personId, function: "instructor" },
  ];
  const { id } = await school.draftFlight(school.student, { blockMinutes: 60, body: { crew, night_landings: 1 } });
  const { lines } = await previewOf(school, id);
  expect(lines).toMatchObject([
    { kind: "instructor", net_minor: 6000 },
    { kind: "landing", quantity: "2.00", net_minor: 3000 },
  ]);
});

test("two rates for exactly the same do not overlap; one may follow the other", async () => {
  const school = await newSchool();
  const first = await addRate(school, { icao_type: "C172", valid_until: "2026-06-30" });
  const add = (rate: object) =>
    school.owner.post("/finance/rates", { kind: "aircraft", icao_type: "C172", price_minor: 23_000, ...rate });
  expect((await add({ valid_from: "2026-06-30" })).body.error.reason).toBe("rate_overlaps");
  expect((await add({ valid_from: "2025-01-01", valid_until: "2026-01-01" })).body.error.reason).toBe("rate_overlaps");
  expectStatus(201, await add({ valid_from: "2026-07-01" }));
  expectStatus(201, await add({ valid_from: "2025-01-01", valid_until: "2025-12-31" }));
  expectStatus(201, await add({ valid_from: "2026-01-01", audience: "guest" }));
  const longer = await school.owner.patch(`/finance/rates/${first}`, { valid_until: "2026-07-01" });
  expect(longer.body.error.reason).toBe("rate_overlaps");
});

test("a rate that charges have used only ends, on a day not before its last use", async () => {
  const school = await newSchool();
  const id = await addRate(school, { aircraft_id: school.aircraftId });
  const flight = await approvedFlight(school);
  const { on } = (await school.owner.get(`/finance/flights/${flight}`)).body.data;
  const change = (change: object) => school.owner.patch(`/finance/rates/${id}`, change);
  const before = Temporal.PlainDate.from(on).subtract({ days: 1 }).toString();
  for (const refused of [await change({ price_minor: 1 }), await change({ valid_until: before })])
    expect(refused.body.error.reason).toBe("rate_used");
  expect((await school.owner.delete(`/finance/rates/${id}`)).body.error.reason).toBe("rate_used");
  expect(expectStatus(200, await change({ valid_until: on })).body.data.valid_until).toBe(on);
});

test("a rate's parts fit together, and its VAT is that of the settings by default", async () => {
  const { owner, aircraftId } = await newSchool();
  const add = (rate: object) =>
    owner.post("/finance/rates", { kind: "aircraft", price_minor: 22_500, valid_from: "2026-01-01", ...rate });
  const refused: [object, string][] = [
    [{ place: "EDFE" }, "place"],
    [{ kind: "landing", fuel: "dry" }, "fuel"],
    [{ aircraft_id: aircraftId, icao_type: "C172" }, "icao_type"],
    [{ audience: "guest", person_id: owner.personId }, "audience"],
    [{ valid_until: "2025-12-31" }, "valid_until"],
    [{ vat_category: "exempt" }, "vat_reason"],
    [{ vat_category: "zero", vat_rate: "7.00" }, "vat_rate"],
    [{ vat_category: "standard", vat_rate: "0.00" }, "vat_rate"],
    [{ person_id: aircraftId }, "person_id"],
    [{ price_minor: -1 }, "price_minor"],
  ];
  for (const [rate, path] of refused) {
    const answer = await add(rate);
    expect([rate, answer.status, answer.body.issues?.[0]?.path]).toEqual([rate, 400, `body.${path}`]);
  }
  const exempt = { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 4 Nr. 21 UStG" };
  expectStatus(200, await owner.patch("/finance/settings", exempt));
  expect(expectStatus(201, await add({})).body.data).toMatchObject({ ...exempt, fuel: "wet", currency: "EUR" });
  const taxed = await add({ icao_type: "C172", vat_category: "standard", vat_rate: "7.00" });
  expect(expectStatus(201, taxed).body.data).toMatchObject({ vat_rate: "7.00", vat_reason: null });
});

test("the settings take an IBAN only with right check digits, and a series of letters, digits and dashes; a VAT ID has its country", async () => {
  const { owner, student } = await newSchool();
  expect((await owner.get("/finance/settings")).body.data).toMatchObject({
    ...{ invoice_series: "INV", credit_note_series: "CN", payment_days: 14, vat_rate: "19.00", iban: null },
  });
  const change = (change: object) => owner.patch("/finance/settings", change);
  expect(expectStatus(200, await change({ iban: "de89 3704 0044 0532 0130 00" })).body.data.iban).toBe(
    "DE89370400440532013000",
  );
  for (const bad of [{ iban: "DE89370400440532013001" }, { invoice_series: "A/B" }, { bic: "X" }, { vat_rate: "19" }])
    expect([bad, (await change(bad)).status]).toEqual([bad, 400]);
  // An invoice is sent with it, and later an e-invoice with another is refused.
  for (const path of ["/finance/settings", `/finance/customers/${student.personId}`]) {
    const { issues } = expectStatus(400, await owner.patch(path, { vat_id: "123456789" })).body;
    expect(issues).toMatchObject([{ path: "body.vat_id", message: expect.stringContaining("such as DE") }]);
    expect(expectStatus(200, await owner.patch(path, { vat_id: "de 123456789" })).body.data.vat_id).toBe(
      "de 123456789",
    );
  }
});

test("a VAT ID of a member state has the form that this has, also with spaces, dots and dashes", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const customer = `/finance/customers/${student.personId}`;
  for (const path of ["/finance/settings", customer])
    for (const vat_id of [
      "DE12",
      "DE1234567890",
      "ATU1",
      "AT123456789",
      "GR123456789",
      "BE2123456789",
      "XI1234",
      "RO1",
    ]) {
      const answer = expectStatus(400, await owner.patch(path, { vat_id }));
      expect([vat_id, answer.body.issues]).toMatchObject([vat_id, [{ path: "body.vat_id" }]]);
    }
  // Each in the forms of its member state, and others as they are.
  for (const vat_id of [
    ...["ATU12345678", "BE0123456789", "BE 1123.456.789", "BG123456789", "BG1234567890", "CY12345678X", "CZ12345678"],
    ...["CZ1234567890", "DE 123 456 789", "dk12 34 56 78", "EE123456789", "EL123456789", "ESX1234567X", "ESB12345678"],
    ...["FI12345678", "FRXX123456789", "FR12345678901", "HR12345678901", "HU12345678", "IE1A12345B", "IE1+12345B"],
    ...["IE1234567WI", "IT12345678901", "LT123456789", "LT123456789012", "LU12345678", "LV12345678901", "MT12345678"],
    ...["NL123456789B01", "PL5260001246", "PT123456789", "RO12", "RO1234567890", "SE123456789012", "SI12345678"],
    ...["SK1234567890", "XI123456789", "XI123456789012", "XIGD123", "XIHA123", "CHE-123.456.789 MWST", "GB123456789"],
  ])
    expect(expectStatus(200, await owner.patch(customer, { vat_id })).body.data.vat_id).toBe(vat_id);
});

test("a rate in another currency is another rate", async () => {
  const school = await newSchool();
  await addRate(school, {});
  expectStatus(200, await school.owner.patch("", { currency: "CHF" }));
  await addRate(school, {});
});

test("a rate ends no earlier than the last of the days on which charges used it", async () => {
  const school = await newSchool();
  const id = await addRate(school, {});
  for (const day of ["2026-06-10", "2026-06-12", "2026-06-11"])
    await approvedFlight(school, { body: { off_block_at: `${day}T08:00:00Z`, on_block_at: `${day}T09:00:00Z` } });
  const end = (valid_until: string) => school.owner.patch(`/finance/rates/${id}`, { valid_until });
  expect((await end("2026-06-11")).body.error.message).toContain("2026-06-12");
  expectStatus(200, await end("2026-06-12"));
});

test("landings have a rate of their aircraft, and a rate names what exists", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  await addRate(school, { kind: "landing", price_minor: 700 });
  await addRate(school, { kind: "landing", price_minor: 900, aircraft_id: aircraftId });
  const { id } = await school.draftFlight(school.student);
  expect((await previewOf(school, id)).lines).toMatchObject([{ kind: "landing", net_minor: 900 }]);
  const fee = { kind: "program", price_minor: 1, valid_from: "2026-01-01", program_id: aircraftId };
  expect(expectStatus(400, await owner.post("/finance/rates", fee)).body.issues[0].path).toBe("body.program_id");
  const unknown = async (rate: object) =>
    expectStatus(400, await owner.post("/finance/rates", { price_minor: 1, valid_from: "2026-01-01", ...rate })).body
      .issues;
  const { personId } = school.student;
  for (const [kind, path, id] of [
    ["landing", "aircraft_id", personId],
    ["instructor", "instructor_id", aircraftId],
    ["aircraft", "person_id", aircraftId],
  ] as const)
    expect(await unknown({ kind, ...(kind === "aircraft" && { aircraft_id: aircraftId }), [path]: id })).toMatchObject([
      { path: `body.${path}`, code: "unknown" },
    ]);
});

test("another category than that of the settings has no rate of theirs; settings and reminders fit together", async () => {
  const school = await newSchool();
  const { owner } = school;
  const rate = { kind: "aircraft", price_minor: 1, valid_from: "2026-01-01", vat_category: "zero" };
  expect(expectStatus(201, await owner.post("/finance/rates", rate)).body.data.vat_rate).toBe("0.00");
  const refused = async (change: object) =>
    expectStatus(400, await owner.patch("/finance/settings", change)).body.issues[0].path;
  expect(await refused({ reminder_days: [7, 7] })).toBe("body.reminder_days");
  expect(await refused({ vat_category: "zero" })).toBe("body.vat_rate");
});
