import { defaults } from "../../../src/modules/planning/settings/settings.schemas.ts";
import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newStudent } from "../people/scenery.ts";

export const planningScenery: Scenery = {
  params: {
    sessionId: async (school, { name }) => {
      const { owner, student } = school;
      const isPast = /\/(no-show|check-in|undo-check-in|complete)$/.test(name);
      const isRequest = name.endsWith("/confirm");
      if (isRequest) expectStatus(200, await owner.patch("/planning/settings", { confirm_requests: true }));
      const booked = await (isRequest ? student : owner).post("/planning/sessions", groundSession(school, isPast));
      const { id } = expectStatus(201, booked).body.data;
      if (isRequest) expectStatus(200, await owner.patch("/planning/settings", { confirm_requests: false }));
      if (/\/(complete|undo-check-in)$/.test(name))
        expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`));
      return id;
    },
    wishId: async (school, { name }) => {
      const { owner } = school;
      const slot = groundSession(school);
      const instructor_id = school.instructor.personId;
      // The oldest wish gets the offer, and those of the same millisecond are in no order.
      const waiting = expectStatus(200, await owner.get("/planning/wishes?status=waiting")).body.data;
      if (name.endsWith("/decline"))
        for (const { id } of waiting) expectStatus(200, await owner.post(`/planning/wishes/${id}/withdraw`));
      const wish = { ...wishOf(school), instructor_id, from_at: slot.start_at, until_at: slot.end_at };
      const { id } = expectStatus(201, await owner.post("/planning/wishes", wish)).body.data;
      if (name.endsWith("/decline")) {
        const taught = { ...slot, student_ids: [], instructor_id };
        const booked = expectStatus(201, await owner.post("/planning/sessions", taught)).body.data;
        expectStatus(200, await owner.post(`/planning/sessions/${booked.id}/cancel`, { reason: "other" }));
      }
      return id;
    },
    calendarId: async ({ orgId }) => `${orgId}.ics`,
  },
  bodies: {
    "POST /orgs/{orgId}/planning/sessions": async (school) => groundSession(school),
    "PATCH /orgs/{orgId}/planning/sessions/{sessionId}": async (school) => {
      const { kind: _, ...change } = groundSession(school);
      return change;
    },
    "POST /orgs/{orgId}/planning/sessions/dry-run": async (school) => groundSession(school),
    "POST /orgs/{orgId}/planning/sessions/{sessionId}/dry-run": async (school) => {
      const { kind: _, ...change } = groundSession(school);
      return change;
    },
    "POST /orgs/{orgId}/planning/sessions/{sessionId}/reschedule": async (school) => ({
      start_at: groundSession(school).start_at,
    }),
    "POST /orgs/{orgId}/planning/series": async (school) => {
      const { start_at, end_at: _, ...content } = groundSession(school);
      return { ...content, from_on: `2097${start_at?.slice(4, 10)}`, until_on: null, count: 1 };
    },
    "POST /orgs/{orgId}/planning/wishes": async (school) => wishOf(school),
    // Otherwise other requests could not book.
    "PATCH /orgs/{orgId}/planning/settings": async () => ({ ...defaults }),
    "POST /orgs/{orgId}/planning/rooms": async () => ({ name: `Room ${next()}` }),
    "PATCH /orgs/{orgId}/planning/rooms/{roomId}": async () => ({ name: `Room ${next()}` }),
    "POST /orgs/{orgId}/planning/hours": async (school) => ({ person_id: await newStudent(school) }),
    "POST /orgs/{orgId}/planning/absences": async (school) => ({ person_id: await newStudent(school) }),
  },
  arrivals: {
    "GET /public/orgs/{orgId}/calendars/{calendarId}": async ({ owner, orgId }) => {
      const share = { purpose: "calendar", subject_id: orgId, name: "Phone" };
      const { token } = expectStatus(201, await owner.post("/share-tokens", share)).body.data;
      return { query: `token=${token}` };
    },
    "GET /orgs/{orgId}/planning/free-slots": async ({ aircraftId }) => ({ query: `aircraft_id=${aircraftId}` }),
    "GET /orgs/{orgId}/planning/board": async () => ({
      query: "from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z",
    }),
    "GET /orgs/{orgId}/planning/busy": async ({ aircraftId }) => ({
      query: `resource_id=${aircraftId}&from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z`,
    }),
  },
};

/** A session of the student alone, at a time of its own: a student may book it and change it. */
function groundSession({ student }: StagedSchool, isPast = false) {
  const start = Date.UTC(isPast ? 2020 : 2098, 0, 1) + next() * 7_200_000;
  const [start_at, end_at] = [start, start + 5_400_000].map((time) => new Date(time).toISOString());
  const nothing = { aircraft_id: null, instructor_id: null, room_id: null, lesson_id: null };
  return { kind: "ground", start_at, end_at, ...nothing, student_ids: [student.personId] };
}

/** With a time window of its own. @param student who waits: too many wishes of one person are refused */
function wishOf({ student }: StagedSchool) {
  const start = Date.UTC(2097, 0, 1) + next() * 86_400_000;
  const [from_at, until_at] = [start, start + 86_400_000].map((time) => new Date(time).toISOString());
  return { person_id: student.personId, instructor_id: null, from_at, until_at, minutes: 60 };
}
