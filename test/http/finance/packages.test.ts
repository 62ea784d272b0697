import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf, dual, openOf, previewOf, usualRates } from "./school.ts";

async function sell(school: School, body: object = {}): Promise<string> {
  const hours = {
    name: "2 hours",
    uses: "aircraft",
    quantity: "120.00",
    price_minor: 40_000,
    valid_from: "2026-01-01",
  };
  const sold = await school.owner.post("/finance/packages", { person_id: school.student.personId, ...hours, ...body });
  return expectStatus(201, sold).body.data.id;
}

const packageOf = async ({ owner }: School, id: string) =>
  expectStatus(200, await owner.get(`/finance/packages/${id}`)).body.data;

test("selling a package charges it, and flights draw it down before they are charged", async () => {
  const school = await newSellingSchool();
  await usualRates(school);
  const id = await sell(school);
  const sold = (await school.owner.get("/finance/charges")).body.data;
  expect(sold).toMatchObject([{ kind: "package", package_id: id, net_minor: 40_000, status: "open" }]);

  const first = await approvedFlight(school, { blockMinutes: 90 });
  expect((await billingOf(school, first)).charges).toMatchObject([
    { kind: "aircraft", status: "package", package_id: id, quantity: "90.00", net_minor: 0 },
    { kind: "landing", status: "open" },
  ]);
  // 30 minutes are left: the other 32 are charged.
  const { id: second } = await school.submitFlight(school.student);
  expect((await previewOf(school, second)).lines).toMatchObject([
    { kind: "aircraft", status: "package", quantity: "30.00", gross_minor: 0 },
    { kind: "aircraft", status: "open", quantity: "32.00", net_minor: 12_000 },
    { kind: "landing" },
  ]);
  expectStatus(200, await school.owner.post(`/flights/${second}/approve`));
  const used = await packageOf(school, id);
  expect(used).toMatchObject({ quantity: "120.00", remaining: "0.00" });
  expect(used.draws.map(({ flight_id, quantity }: Record<string, unknown>) => [flight_id, quantity]).sort()).toEqual(
    [
      [first, "90.00"],
      [second, "30.00"],
    ].sort(),
  );

  expectStatus(200, await school.owner.post(`/flights/${first}/reverse`, { reason: "Wrong times." }));
  expect((await packageOf(school, id)).remaining).toBe("90.00");
  // The other flight, charged anew, finds them.
  expectStatus(200, await school.owner.post(`/finance/flights/${second}/charge`));
  expect((await packageOf(school, id)).remaining).toBe("58.00");
  expect(await openOf(school, second)).toHaveLength(3);
});

test("the package that expires first is drawn first; those of others, of other aircraft and of other days are not", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const unused = [
    await sell(school, { person_id: school.owner.personId }),
    await sell(school, { icao_type: "P28A" }),
    await sell(school, { valid_from: "2025-01-01", valid_until: "2025-12-31" }),
    await sell(school, { uses: "instructor" }),
  ];
  const endless = await sell(school, { icao_type: "C172" });
  const later = await sell(school, { valid_until: "2099-12-31" });
  const sooner = await sell(school, { aircraft_id: school.aircraftId, valid_until: "2099-01-31" });
  await approvedFlight(school, { blockMinutes: 250 });
  const left = async (id: string) => (await packageOf(school, id)).remaining;
  expect([await left(sooner), await left(later), await left(endless)]).toEqual(["0.00", "0.00", "110.00"]);
  for (const id of unused) expect(await left(id)).toBe("120.00");
});

test("instructor time that is paid ahead needs no rate", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const id = await sell(school, { uses: "instructor" });
  const flight = await approvedFlight(school, { body: dual(school) });
  expect(await billingOf(school, flight)).toMatchObject({ status: "charged", missing: [] });
  expect((await packageOf(school, id)).remaining).toBe("58.00");
  expectStatus(200, await school.owner.post(`/finance/flights/${flight}/waive`, { reason: "A prize." }));
  expect((await packageOf(school, id)).remaining).toBe("120.00");
});

test("a package is taken back with its charge, unless flights were drawn from it, and is then not drawn from", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const id = await sell(school);
  const { owner } = school;
  const [sale] = (await owner.get("/finance/charges")).body.data;
  const flight = await approvedFlight(school);
  const reverse = () => owner.post(`/finance/charges/${sale.id}/reverse`, { reason: "Not wanted." });
  expect((await reverse()).body.error.reason).toBe("package_drawn");
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  expectStatus(200, await reverse());
  expect((await packageOf(school, id)).voided_at).not.toBeNull();
  expect(await openOf(school, await approvedFlight(school))).toEqual([["aircraft", 23_250]]);
});

test("to credit the sale of a package credits what flights have not drawn, and ends the package", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const { owner, student } = school;
  const id = await sell(school, { quantity: "600.00", price_minor: 100_000 });
  const [{ id: sale }] = (await owner.get("/finance/charges")).body.data;
  const act = (invoice: string, action: string, body = {}) =>
    owner.post(`/finance/invoices/${invoice}/${action}`, body);
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, until: "2026-06-14" });
  const { id: invoice, lines } = expectStatus(201, drafted).body.data;
  expectStatus(200, await act(invoice, "send"));
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  const reversed = await owner.post(`/finance/charges/${sale}/reverse`, { reason: "Not wanted." });
  expect(expectStatus(409, reversed).body.error).toMatchObject({
    reason: "package_drawn",
    message: expect.stringContaining("credit it"),
  });

  const goodwill = { reason: "Goodwill.", lines: [{ line_id: lines[0].id, net_minor: 89_999 }] };
  const part = expectStatus(201, await act(invoice, "credit", goodwill)).body.data;
  expect((await packageOf(school, id)).voided_at).toBeNull();
  const cent = expectStatus(201, await act(invoice, "credit", { reason: "The rest." })).body.data;
  expect(cent.net_minor).toBe(-1);
  expect((await packageOf(school, id)).voided_at).not.toBeNull();
  for (const one of [part, cent]) expectStatus(200, await act(one.id, "void", { reason: "Not given." }));
  expect((await packageOf(school, id)).voided_at).toBeNull();

  const rest = expectStatus(201, await act(invoice, "credit", { reason: "Not wanted." })).body.data;
  expect(rest).toMatchObject({ net_minor: -90_000, lines: [{ credits_line_id: lines[0].id }] });
  expect(await packageOf(school, id)).toMatchObject({
    ...{ remaining: "0.00", returned: "540.00", voided_at: expect.any(String) },
  });
  expect(await openOf(school, await approvedFlight(school))).toEqual([["aircraft", 23_250]]);
  const drawn = await act(invoice, "credit", { reason: "All.", lines: [{ line_id: lines[0].id }] });
  expect(expectStatus(409, drawn).body.error.reason).toBe("package_drawn");
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  expect(expectStatus(201, await act(invoice, "credit", { reason: "All." })).body.data.net_minor).toBe(-10_000);
});

/** A package of 600 minutes for 1,000.00 whose invoice was sent. */
async function billedPackage(body: object = {}) {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const { owner, student } = school;
  const id = await sell(school, { quantity: "600.00", price_minor: 100_000, ...body });
  const drafted = await owner.post("/finance/invoices", { person_id: student.personId, until: "2026-06-14" });
  const invoice = expectStatus(201, drafted).body.data;
  const line_id: string = invoice.lines[0].id;
  const act = (invoiceId: string, action: string, body = {}) =>
    owner.post(`/finance/invoices/${invoiceId}/${action}`, body);
  expectStatus(200, await act(invoice.id, "send"));
  return {
    school,
    act,
    invoice: invoice.id,
    /** @param amounts null: all that is left of the line */
    credit: (amounts: object = {}) =>
      act(invoice.id, "credit", { reason: "A part.", lines: [{ line_id, ...amounts }] }),
    voided: async (note: string) => expectStatus(200, await act(note, "void", { reason: "Not given." })),
    /** Its minutes: left, returned by credit notes, and drawn; and whether it has ended. */
    async standing() {
      const { remaining, returned, draws, voided_at } = await packageOf(school, id);
      const drawn = draws.reduce((sum: number, one: { quantity: string }) => sum + Number(one.quantity), 0);
      return [remaining, returned, drawn, voided_at !== null];
    },
  };
}

test("crediting a part of a package by its quantity returns the minutes of that part, and a void draft gives them back", async () => {
  const { school, credit, voided, standing, act, invoice } = await billedPackage();
  await approvedFlight(school, { blockMinutes: 60 });
  // So that a credit note settles nothing, and can be cancelled.
  const paid = { invoice_id: invoice, amount_minor: 119_000, method: "cash" };
  expectStatus(201, await school.owner.post("/finance/payments", paid));
  const note = expectStatus(201, await credit({ quantity: "0.50" })).body.data;
  expect(note.net_minor).toBe(-50_000);
  expect(await standing()).toEqual(["240.00", "300.00", 60, false]);
  await voided(note.id);
  expect(await standing()).toEqual(["540.00", "0.00", 60, false]);

  const sent = expectStatus(201, await credit({ quantity: "0.40" })).body.data;
  expectStatus(200, await act(sent.id, "send"));
  expect(await standing()).toEqual(["300.00", "240.00", 60, false]);
  // The rest without a quantity ends it; a cancellation gives the minutes back as well.
  const rest = expectStatus(201, await credit()).body.data;
  expect(rest.net_minor).toBe(-50_000);
  expect(await standing()).toEqual(["0.00", "540.00", 60, true]);
  await voided(rest.id);
  expect(await standing()).toEqual(["300.00", "240.00", 60, false]);
  expectStatus(201, await act(sent.id, "cancel", { reason: "Not given." }));
  expect(await standing()).toEqual(["540.00", "0.00", 60, false]);
});

test("more of a package than flights left of it is not credited by a quantity: the refusal says how much can be", async () => {
  const { school, credit, standing, act, invoice } = await billedPackage();
  await approvedFlight(school, { blockMinutes: 61 });
  const refused = async (quantity: string) => {
    const { error } = expectStatus(409, await credit({ quantity })).body;
    return [error.reason, error.quantity];
  };
  // 539 of 600 minutes are 0.898.
  expect(await refused("0.90")).toEqual(["package_drawn", "0.89"]);
  expect(await refused("1.00")).toEqual(["package_drawn", "0.89"]);
  const part = expectStatus(201, await credit({ quantity: "0.89" })).body.data;
  expect(part.net_minor).toBe(-89_000);
  expect(await standing()).toEqual(["5.00", "534.00", 61, false]);
  expect(await refused("0.01")).toEqual(["package_drawn", "0.00"]);
  // What is left beside the price of what was drawn: 1,000.00 × 61 / 600 is 101.67.
  expect(expectStatus(201, await act(invoice, "credit", { reason: "The rest." })).body.data.net_minor).toBe(-833);
  expect(await standing()).toEqual(["0.00", "539.00", 61, true]);
  const all = expectStatus(409, await credit()).body.error;
  expect([all.reason, all.quantity]).toEqual(["package_drawn", "0.00"]);
});

test("a reversal of the sale of a package that was drawn says how much can be credited", async () => {
  const { school } = await billedPackage();
  await approvedFlight(school, { blockMinutes: 60 });
  const charges = (await school.owner.get("/finance/charges")).body.data;
  const sale = charges.find(({ kind }: { kind: string }) => kind === "package");
  const refused = await school.owner.post(`/finance/charges/${sale.id}/reverse`, { reason: "Not wanted." });
  expect(expectStatus(409, refused).body.error).toMatchObject({ reason: "package_drawn", quantity: "0.90" });
});

test("minutes are returned rounded down, and the last part returns what is left", async () => {
  const { credit, standing } = await billedPackage({ quantity: "10.01", price_minor: 99_999 });
  const note = async () => expectStatus(201, await credit({ quantity: "0.50" })).body.data.net_minor;
  expect(await note()).toBe(-50_000);
  expect(await standing()).toEqual(["5.01", "5.00", 0, false]);
  // The other half would be 0.01 more than is left of the price.
  expect(expectStatus(409, await credit({ quantity: "0.50" })).body.error.reason).toBe("credit_exceeds_line");
  expect(expectStatus(201, await credit()).body.data.net_minor).toBe(-49_999);
  expect(await standing()).toEqual(["0.00", "10.01", 0, true]);
});

test("two halves of a package return all of its minutes, and end it", async () => {
  const { credit, standing } = await billedPackage({ quantity: "10.01" });
  for (const _ of [1, 2]) expectStatus(201, await credit({ quantity: "0.50" }));
  expect(await standing()).toEqual(["0.00", "10.01", 0, true]);
});

test("an amount reduces the price of a package, which keeps its minutes while something is left beside what was drawn", async () => {
  const { school, credit, voided, standing } = await billedPackage();
  await approvedFlight(school, { blockMinutes: 60 });
  expectStatus(201, await credit({ net_minor: 89_999 }));
  expect(await standing()).toEqual(["540.00", "0.00", 60, false]);
  const cent = expectStatus(201, await credit({ net_minor: 1 })).body.data;
  expect(await standing()).toEqual(["0.00", "540.00", 60, true]);
  await voided(cent.id);
  expect(await standing()).toEqual(["540.00", "0.00", 60, false]);
});

test("minutes that were paid are drawn anew by a flight that is charged again, also once a credit note has ended the package", async () => {
  const { school, credit, standing } = await billedPackage();
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  const other = await approvedFlight(school, { blockMinutes: 30 });
  const note = expectStatus(201, await credit()).body.data;
  // 1,000.00 x 90 / 600 stays paid.
  expect(note.net_minor).toBe(-85_000);
  expect(await standing()).toEqual(["0.00", "510.00", 90, true]);
  expectStatus(200, await school.owner.post(`/finance/flights/${flight}/charge`));
  expect(await openOf(school, flight)).toEqual([
    ["aircraft", 0],
    ["aircraft", 0],
  ]);
  expect(await standing()).toEqual(["0.00", "510.00", 90, false]);

  // A flight that is flown no more leaves its minutes to the next, and their price to a credit note.
  for (const id of [flight, other])
    expectStatus(200, await school.owner.post(`/flights/${id}/reverse`, { reason: "Wrong." }));
  expect(await standing()).toEqual(["90.00", "510.00", 0, false]);
  expect(expectStatus(201, await credit()).body.data.net_minor).toBe(-15_000);
  expect(await standing()).toEqual(["0.00", "600.00", 0, true]);
});

test("a package of which nothing is paid stays ended when a flight gives its minutes back", async () => {
  const { school, credit, standing } = await billedPackage();
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  expectStatus(201, await credit({ net_minor: 100_000 }));
  expect(await standing()).toEqual(["0.00", "540.00", 60, true]);
  expectStatus(200, await school.owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  expect(await standing()).toEqual(["60.00", "540.00", 0, true]);
});

test("a cancelled invoice gives back what the draft of a credit note had taken of a package", async () => {
  const { school, act, invoice, standing } = await billedPackage();
  expectStatus(201, await act(invoice, "credit", { reason: "All." }));
  expect(await standing()).toEqual(["0.00", "600.00", 0, true]);
  expectStatus(201, await act(invoice, "cancel", { reason: "Another address." }));
  expect(await standing()).toEqual(["600.00", "0.00", 0, false]);
  expect(await openOf(school, await approvedFlight(school, { blockMinutes: 60 }))).toEqual([["aircraft", 0]]);
});

test("a package whose sale was reversed stays ended when the draft of a credit note is voided", async () => {
  const { school, credit, voided, standing } = await billedPackage();
  const all = expectStatus(201, await credit()).body.data;
  const charges = (await school.owner.get("/finance/charges")).body.data;
  expectStatus(200, await school.owner.post(`/finance/charges/${charges[0].id}/reverse`, { reason: "Not wanted." }));
  await voided(all.id);
  expect(await standing()).toEqual(["600.00", "0.00", 0, true]);
});

test("members see their own packages only", async () => {
  const school = await newSellingSchool();
  const id = await sell(school);
  const other = await school.join(["student"]);
  expect((await school.student.get("/finance/packages")).body.data).toHaveLength(1);
  expect((await other.get("/finance/packages")).body.data).toEqual([]);
  expect((await other.get(`/finance/packages/${id}`)).status).toBe(404);
  expect((await other.get(`/finance/customers/${school.student.personId}`)).status).toBe(404);
  expect((await school.student.get(`/finance/customers/${school.student.personId}`)).status).toBe(200);
});

test("a package is drawn from its first to its last day, and from today if it names no first", async () => {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const { id: flight } = await school.draftFlight(school.student);
  const { on } = await previewOf(school, flight);
  const day = (days: number) => Temporal.PlainDate.from(on).add({ days }).toString();
  const drawn = async () =>
    (await previewOf(school, flight)).lines.map(({ quantity }: { quantity: string }) => quantity);
  await sell(school, { valid_from: day(1), quantity: "1.00" });
  await sell(school, { valid_until: day(-1), quantity: "2.00" });
  expect(await drawn()).toEqual(["62.00"]);
  await sell(school, { valid_from: on, valid_until: on, quantity: "3.00" });
  await sell(school, { valid_from: null, quantity: "4.00" });
  expect(await drawn()).toEqual(["3.00", "4.00", "55.00"]);
});

test("a package that covers a flight alone is the only one drawn from; that of another aircraft is not", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  await addRate(school, { aircraft_id: school.aircraftId });
  const other = { registration: "D-EFGH", model: "Cessna 172S", icao_type: "C172", class: "SEP" };
  const { id: aircraft_id } = expectStatus(201, await owner.post("/aircraft", other)).body.data;
  await sell(school, { aircraft_id, valid_until: "2098-12-31" });
  const same = [await sell(school), await sell(school)];
  const { id } = await school.draftFlight(school.student);
  const { lines } = await previewOf(school, id);
  expect(lines).toMatchObject([{ kind: "aircraft", quantity: "62.00" }]);
  expect(same).toContain(lines[0].package_id);
});

test("a package's parts fit together, also once it is changed; its sale is no draw; the list names whose it wants", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor, aircraftId } = school;
  const hours = { person_id: student.personId, name: "1 hour", quantity: "60.00", price_minor: 1 };
  const refused = async (body: object) =>
    expectStatus(400, await owner.post("/finance/packages", { ...hours, uses: "aircraft", ...body })).body.issues[0]
      .path;
  expect(await refused({ uses: "instructor", icao_type: "C172" })).toBe("body.icao_type");
  expect(await refused({ aircraft_id: aircraftId, icao_type: "C172" })).toBe("body.icao_type");
  const id = await sell(school);
  await sell(school, { person_id: instructor.personId });
  const ended = await owner.patch(`/finance/packages/${id}`, { valid_until: "2025-12-31" });
  expect(expectStatus(400, ended).body.issues[0].path).toBe("body.valid_until");
  expect((await packageOf(school, id)).draws).toEqual([]);
  const { data } = (await owner.get(`/finance/packages?person_id=${student.personId}`)).body;
  expect(data.map((one: { id: string }) => one.id)).toEqual([id]);
});
