import { expect, test } from "bun:test";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { booked, during, lesson, refused } from "./booking.ts";

const past = "2020-07-01T10:00Z";

async function checkedIn(school: School) {
  const { id } = await booked(school.owner, lesson(school, past));
  return expectStatus(200, await school.owner.post(`/planning/sessions/${id}/check-in`)).body.data;
}
const undo = ({ owner }: School, { id }: { id: string }) => owner.post(`/planning/sessions/${id}/undo-check-in`);

test("a mistaken check-in is undone, and its draft is gone", async () => {
  const school = await newSchool();
  const { owner } = school;
  const before = await checkedIn(school);
  expectStatus(200, await owner.patch(`/finance/flights/${before.flight_id}`, { payer_id: owner.personId }));
  const after = expectStatus(200, await undo(school, before)).body.data;
  expect(after).toMatchObject({ status: "planned", flight_id: null, sequence: before.sequence });
  expectStatus(404, await owner.get(`/flights/${before.flight_id}`));
  const log = expectStatus(200, await owner.get("/audit-log?action=flight.draft_removed")).body.data;
  expect(log).toMatchObject([{ before: { id: before.flight_id, status: "draft" } }]);
  // It takes up its time, and can be checked in again.
  expect(await refused(owner, { ...lesson(school, past), kind: "ground" })).toContain("overlap");
  const again = expectStatus(200, await owner.post(`/planning/sessions/${before.id}/check-in`)).body.data;
  expect(again.flight_id).not.toBe(before.flight_id);
});

test("a check-in without a flight is undone, and a session that is not checked in is refused", async () => {
  const school = await newSchool();
  const ground = await booked(school.owner, { kind: "ground", ...during(past) });
  expect(expectStatus(409, await undo(school, ground)).body.error).toMatchObject({
    reason: "wrong_status",
    status: "planned",
  });
  expectStatus(200, await school.owner.post(`/planning/sessions/${ground.id}/check-in`));
  expect(expectStatus(200, await undo(school, ground)).body.data.status).toBe("planned");
  expectStatus(403, await school.student.post(`/planning/sessions/${ground.id}/undo-check-in`));
});

test("a check-in stays once its flight was submitted, and the session is completed by its approval", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const session = await checkedIn(school);
  const flight = `/flights/${session.flight_id}`;
  const { off_block_at, on_block_at, departure, arrival } = school.flightBody();
  expectStatus(200, await owner.patch(flight, { off_block_at, on_block_at, departure, arrival }));
  expectStatus(200, await owner.post(`${flight}/submit`));
  expect(expectStatus(409, await undo(school, session)).body.error).toMatchObject({
    ...{ reason: "wrong_status", status: "submitted", allowed: ["draft"] },
    message: "The flight is submitted, not draft.",
  });
  expectStatus(200, await owner.post(`${flight}/approve`));
  expect((await instructor.get(`/planning/sessions/${session.id}`)).body.data.status).toBe("completed");
  expectStatus(409, await undo(school, session));
});

test("a check-in stays if a defect names its flight", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const session = await checkedIn(school);
  const defect = { description: "Flat tyre.", flight_id: session.flight_id };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
  expect(expectStatus(409, await undo(school, session)).body.error.reason).toBe("flight_on_record");
  expectStatus(200, await owner.get(`/flights/${session.flight_id}`));
});
