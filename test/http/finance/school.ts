/** Prices of a school for tests of the money. */
import { expectStatus, type FlightOptions, type School } from "../../support/school.ts";

export const from = "2026-01-01";

/** Adds a rate, by default of the school's aircraft: 225.00 an hour. @returns its id */
export async function addRate({ owner }: Pick<School, "owner">, rate: Record<string, unknown>): Promise<string> {
  const body = { kind: "aircraft", price_minor: 22_500, valid_from: from, ...rate };
  return expectStatus(201, await owner.post("/finance/rates", body)).body.data.id;
}

/** Aircraft 225.00, instructor 50.00 an hour, landing 7.00. */
export async function usualRates(school: School): Promise<void> {
  await addRate(school, { aircraft_id: school.aircraftId });
  await addRate(school, { kind: "instructor", price_minor: 5000 });
  await addRate(school, { kind: "landing", price_minor: 700 });
}

export const dual = ({ student, instructor }: School): Record<string, unknown> => ({
  crew: [
    { person_id: student.personId, function: "dual" },
    { person_id: instructor.personId, function: "instructor" },
  ],
});

/** Submits a flight and has the owner approve it. @returns its id */
export async function approvedFlight(school: School, options: FlightOptions = {}): Promise<string> {
  const { id } = await school.submitFlight(school.owner, options);
  expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
  return id;
}

export const previewOf = async ({ owner }: School, id: string) =>
  expectStatus(200, await owner.get(`/finance/flights/${id}/preview`)).body.data;

export const billingOf = async ({ owner }: School, id: string) =>
  expectStatus(200, await owner.get(`/finance/flights/${id}`)).body.data;

/** Returns kind and net amount of each charge of a flight that is in effect. */
export async function openOf(school: School, id: string): Promise<[string, number][]> {
  const { charges } = await billingOf(school, id);
  return charges
    .filter(
      ({ status, reverses_id }: { status: string; reverses_id: string | null }) => status !== "offset" && !reverses_id,
    )
    .map(({ kind, net_minor }: { kind: string; net_minor: number }) => [kind, net_minor]);
}
