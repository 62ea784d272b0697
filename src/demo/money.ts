import type { DemoSchool } from "./demo-school.ts";

/** Prices of an hour on each aircraft, in euros. They are wet. */
const hourly = { "D-EABC": 225, "D-EFGH": 205, "D-EIJK": 245, "D-ELMN": 165, "D-GOPQ": 480 };

const seller = {
  legal_name: "Windy Hill Flight School GmbH",
  street: "Am Flugplatz 1",
  postcode: "63329",
  city: "Egelsbach",
  country: "DE",
  email: "office@windyhill.example",
  phone: "+49 6103 12345",
  vat_id: "DE123456789",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
};

/** Adds the school's prices, and ten hours that the student bought ahead, with their invoice, which is paid in part. Before the flights, which they charge. */
export async function addMoney({ api, id, owner, student, aircraft }: DemoSchool): Promise<void> {
  const finance = `/orgs/${id}/finance`;
  const valid_from = Temporal.Now.plainDateISO("Europe/Berlin").subtract({ years: 1 }).toString();
  const add = (rate: object, euros: number) =>
    api.create(`${finance}/rates`, { ...rate, price_minor: euros * 100, valid_from }, owner.token);
  for (const [registration, euros] of Object.entries(hourly))
    await add({ kind: "aircraft", aircraft_id: aircraft.get(registration) }, euros);
  await add({ kind: "instructor" }, 50);
  await add({ kind: "landing" }, 15);
  await add({ kind: "landing", place: "EDFE" }, 7);
  await add({ kind: "program", audience: "student", description: "Theory of the PPL(A)" }, 450);
  await add({ kind: "program", description: "Theory of the PPL(A)" }, 750);
  const hours = { name: "10 hours Cessna 152", uses: "aircraft", icao_type: "C152", quantity: "600.00" };
  const bought = { person_id: student.personId, ...hours, price_minor: 148_500, valid_from };
  await api.create(`${finance}/packages`, bought, owner.token);
  await api.patch(`${finance}/settings`, seller, owner.token);
  const address = { street: "Feldweg 1", postcode: "63225", city: "Langen", country: "DE" };
  await api.patch(`${finance}/customers/${student.personId}`, address, owner.token);
  const today = Temporal.Now.plainDateISO("Europe/Berlin").toString();
  const charges = { person_id: student.personId, until: today };
  const invoice = await api.create(`${finance}/invoices`, charges, owner.token);
  await api.create(`${finance}/invoices/${invoice}/send`, {}, owner.token);
  const payment = { invoice_id: invoice, amount_minor: 100_000, method: "bank_transfer" };
  await api.create(`${finance}/payments`, payment, owner.token);
}
