import type { DemoSchool } from "./school.ts";

/** Prices of an hour on each aircraft, in euros. They are wet. */
const hourly = { "D-EABC": 225, "D-EFGH": 205, "D-EIJK": 245, "D-ELMN": 165, "D-GOPQ": 480 };

/** Adds the school's prices, and ten hours that the student bought ahead. Before the flights, which they charge. */
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
  await add({ kind: "programme", audience: "student", description: "Theory of the PPL(A)" }, 450);
  await add({ kind: "programme", description: "Theory of the PPL(A)" }, 750);
  const hours = { name: "10 hours Cessna 152", uses: "aircraft", icao_type: "C152", minutes: "600.00" };
  const bought = { person_id: student.personId, ...hours, price_minor: 148_500, valid_from };
  await api.create(`${finance}/packages`, bought, owner.token);
}
