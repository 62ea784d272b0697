/** What the tests of the planning share. */
import { expectStatus, type Member, type School } from "../../support/school.ts";

/** `2026-07-01T10:00Z` and a length in minutes. */
export function during(start: string, minutes = 60) {
  const from = Date.parse(start);
  return { start_at: new Date(from).toISOString(), end_at: new Date(from + minutes * 60_000).toISOString() };
}

/** A flight of the student alone with D-EABC. */
export const solo = ({ aircraftId, student }: School, start: string, minutes = 60) => ({
  ...{ kind: "flight", aircraft_id: aircraftId, student_ids: [student.personId] },
  ...during(start, minutes),
});

/** A lesson with D-EABC. */
export const lesson = (school: School, start: string, minutes = 60) => ({
  ...solo(school, start, minutes),
  ...{ kind: "lesson", instructor_id: school.instructor.personId },
});

/** Books. @returns the session */
// biome-ignore lint/suspicious/noExplicitAny: see Answer
export const booked = async (by: Pick<Member, "post">, body: object): Promise<any> =>
  expectStatus(201, await by.post("/planning/sessions", body)).body.data;

/** Tries to book in vain. @returns the rules that are not met */
export const refused = async (by: Pick<Member, "post">, body: object): Promise<string[]> =>
  expectStatus(409, await by.post("/planning/sessions", body)).body.conflicts.map(({ rule }: { rule: string }) => rule);

/** Waits for a C172 on 1 or 2 July 2098. @returns the wish */
// biome-ignore lint/suspicious/noExplicitAny: see Answer
export const wish = async (by: Member, change: object = {}): Promise<any> =>
  expectStatus(
    201,
    await by.post("/planning/wishes", {
      person_id: by.personId,
      ...{ from_at: "2098-07-01T06:00:00Z", until_at: "2098-07-02T18:00:00Z", minutes: 60, icao_type: "C172" },
      ...change,
    }),
  ).body.data;
export const wishOf = async ({ owner }: School, { id }: { id: string }) =>
  expectStatus(200, await owner.get(`/planning/wishes/${id}`)).body.data;
export const cancel = async ({ owner }: School, { id }: { id: string }) =>
  expectStatus(200, await owner.post(`/planning/sessions/${id}/cancel`, { reason: "weather" }));
