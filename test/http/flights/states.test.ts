import { expect, test } from "bun:test";
import fc from "fast-check";
import { expectStatus, newSchool } from "../../support/school.ts";

test("a rejected flight has its reason and is submitted again as the next revision", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  expect(flight).toMatchObject({ status: "submitted", revision: 1 });

  const rejected = await school.instructor.post(`/flights/${flight.id}/reject`, {
    reason: "The landings are missing.",
  });
  expect(rejected.body.data).toMatchObject({ status: "rejected", rejection_reason: "The landings are missing." });

  const edited = await school.student.patch(`/flights/${flight.id}`, { day_landings: 4 });
  expect(edited.body.data).toMatchObject({ status: "rejected", revision: 1, day_landings: 4 });

  const again = await school.student.post(`/flights/${flight.id}/submit`);
  expect(again.body.data).toMatchObject({
    status: "submitted",
    revision: 2,
    rejected_at: null,
    rejection_reason: null,
  });
});

test("a flight names the members who drafted, submitted and approved it", async () => {
  const { owner, instructor, student, draftFlight } = await newSchool();
  const { id } = await draftFlight(student);
  expectStatus(200, await instructor.post(`/flights/${id}/submit`));

  const approved = await owner.post(`/flights/${id}/approve`, { reason: "Not needed: I did not fly." });

  expect(expectStatus(200, approved).body.data).toMatchObject({
    created_by: student.userId,
    submitted_by: instructor.userId,
    approved_by: owner.userId,
    self_approval_reason: null,
  });
});

test("rejectFlight and reverseFlight require a reason", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  for (const move of ["reject", "reverse"]) {
    for (const body of [undefined, {}, { reason: "   " }]) {
      const answer = await school.owner.post(`/flights/${flight.id}/${move}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    }
  }
});

test("reverseFlight undoes the postings of the approval, and the flight stays readable", async () => {
  const school = await newSchool();
  const before = await school.aircraft();
  const flight = await school.submitFlight(school.student, {
    body: { hobbs_start: "1234.50", hobbs_end: "1235.50", tacho_start: "1100.00", tacho_end: "1100.80" },
  });
  await school.instructor.post(`/flights/${flight.id}/approve`);

  const reversed = await school.owner.post(`/flights/${flight.id}/reverse`, {
    reason: "Booked on the wrong aircraft.",
  });

  expect(reversed.body.data).toMatchObject({ status: "reversed", reversal_reason: "Booked on the wrong aircraft." });
  const { hobbs, tacho, airframe_minutes, landings } = before;
  expect(await school.aircraft()).toMatchObject({ hobbs, tacho, airframe_minutes, landings });
  expect((await school.owner.post(`/flights/${flight.id}/reverse`, { reason: "Again." })).status).toBe(409);
});

test("an approved or reversed flight can't be edited", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  await school.instructor.post(`/flights/${flight.id}/approve`);
  expect((await school.owner.patch(`/flights/${flight.id}`, { day_landings: 9 })).status).toBe(409);
  await school.owner.post(`/flights/${flight.id}/reverse`, { reason: "A mistake." });
  expect((await school.owner.patch(`/flights/${flight.id}`, { day_landings: 9 })).status).toBe(409);
  expect((await school.owner.get(`/flights/${flight.id}`)).body.data.day_landings).toBe(1);
});

const allowed: Record<string, Record<string, string>> = {
  draft: { submit: "submitted", edit: "draft" },
  submitted: { approve: "approved", reject: "rejected", edit: "submitted" },
  rejected: { submit: "submitted", edit: "rejected" },
  approved: { reverse: "reversed" },
  reversed: {},
};

const move = fc.record({
  flight: fc.nat({ max: 2 }),
  move: fc.constantFrom("submit", "approve", "reject", "reverse", "edit"),
  minutes: fc.integer({ min: 1, max: 200 }),
});

test("in any order of actions, a flight's status follows the table and the counters equal the postings", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 25 }), async (moves) => {
      const start = await school.aircraft();
      const flights = await Promise.all([0, 1, 2].map(() => school.draftFlight(student, { blockMinutes: 30 })));
      const states = flights.map(() => ({ status: "draft", minutes: 30 }));

      for (const { flight: index, move, minutes } of moves) {
        const path = `/flights/${flights[index].id}`;
        const state = states[index] ?? { status: "", minutes: 0 };
        const answer =
          move === "edit"
            ? await student.patch(path, school.flightBody({ blockMinutes: minutes }))
            : move === "submit"
              ? await student.post(`${path}/submit`)
              : move === "approve"
                ? await instructor.post(`${path}/approve`)
                : await owner.post(`${path}/${move}`, { reason: "Because." });
        const next = allowed[state.status]?.[move];
        expect(answer.status).toBe(next === undefined ? 409 : 200);
        if (next === undefined) continue;
        expect(answer.body.data.status).toBe(next);
        state.status = next;
        if (move === "edit") state.minutes = minutes;
      }

      const posted = states
        .filter(({ status }) => status === "approved")
        .reduce((sum, { minutes }) => sum + minutes, 0);
      expect((await school.aircraft()).airframe_minutes).toBe(start.airframe_minutes + posted);
    }),
    { numRuns: 12 },
  );
});
