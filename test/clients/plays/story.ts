/** What each generated client plays: the data comes from the test, as JSON in the environment. */
const given = JSON.parse(process.env.STORY ?? "{}") as Record<
  "baseUrl" | "orgId" | "apiKey" | "email" | "password" | "registration",
  string
>;

export const story = {
  ...given,
  owner: { email: given.email, password: given.password },
  aircraft: { registration: given.registration, model: "Cessna 172S", class: "SEP", hobbs: "100.00" } as const,
  person: { name: "Sam Student", types: ["student"] } satisfies { name: string; types: "student"[] },
  flightOf: (aircraft_id: string, person_id: string) => ({
    aircraft_id,
    off_block_at: "2026-06-13T08:00:00+02:00",
    on_block_at: "2026-06-13T09:02:00+02:00",
    departure: "EDFE",
    arrival: "EDKB",
    hobbs_start: "100.00",
    hobbs_end: "101.00",
    crew: [{ person_id, function: "solo" as const }],
  }),
  /** Checks and prints what the public API returned. */
  expect(flights: { id: string; status: string; hobbs_end: string | null }[], id: string): void {
    const flight = flights.find((one) => one.id === id);
    if (flight?.hobbs_end !== "101.00") throw new Error(JSON.stringify(flights));
    console.log(`read ${flight.status}`);
  },
};
