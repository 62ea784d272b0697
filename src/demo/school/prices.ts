import { pastDays } from "../plan/timetable.ts";
import { type DemoSchool, known } from "./demo-school.ts";
import { fleet } from "./fleet.ts";

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

/** Hours bought ahead: who, of what, how many, and for how many euros. */
const packages = [
  ["sam", "C152", 10, 1485],
  ["lena", "C152", 10, 1485],
  ["clara", "DA40", 5, 1150],
] as const;

/** Adds the school's prices and the hours that some bought ahead. Before the flights, which they charge. */
export async function addPrices({ api, org, account, person, aircraft, dateOf }: DemoSchool): Promise<void> {
  const office = account("birgit");
  const valid_from = dateOf(-365).toString();
  const add = (rate: object, euros: number) =>
    api.create(`${org}/finance/rates`, { ...rate, price_minor: euros * 100, valid_from }, office);
  for (const { registration, price } of fleet)
    await add({ kind: "aircraft", aircraft_id: known(aircraft, registration) }, price);
  await add({ kind: "instructor" }, 50);
  await add({ kind: "landing" }, 15);
  await add({ kind: "landing", place: "EDFE" }, 7);
  await add({ kind: "program", audience: "student", description: "Theory" }, 450);
  await add({ kind: "program", description: "Theory" }, 750);
  await api.patch(`${org}/finance/settings`, seller, office);
  for (const [key, icao_type, hours, euros] of packages) {
    const what = { name: `${hours} hours ${icao_type}`, uses: "aircraft", icao_type, quantity: `${hours * 60}.00` };
    const sale = {
      person_id: person(key),
      ...what,
      price_minor: euros * 100,
      valid_from: dateOf(-pastDays).toString(),
    };
    await api.create(`${org}/finance/packages`, sale, office);
  }
}
