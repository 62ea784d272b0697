/** Who can't see a record any more after a change learns that it has changed: the next GET says that there is none. */
import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";
import { booked, solo } from "../planning/booking.ts";
import { follow, mark } from "./follow.ts";

interface Lost {
  name: string;
  kind: string;
  path(id: string): string;
  /** Makes a record that the student sees. @returns its id */
  add(school: School): Promise<string>;
  /** Gives it to another student. */
  give(school: School, id: string, to: Member): Promise<unknown>;
}

const flight: Lost = {
  name: "a flight with another crew",
  kind: "flight",
  path: (id) => `/flights/${id}`,
  add: async (school) => (await school.draftFlight(school.owner)).id,
  give: async ({ owner }, id, { personId }) =>
    expectStatus(200, await owner.patch(`/flights/${id}`, { crew: [{ person_id: personId, function: "solo" }] })),
};

const booking: Lost = {
  name: "a booking for another student",
  kind: "planning_session",
  path: (id) => `/planning/sessions/${id}`,
  add: async (school) => (await booked(school.owner, solo(school, "2098-07-01T10:00Z"))).id,
  give: async ({ owner }, id, { personId }) =>
    expectStatus(200, await owner.patch(`/planning/sessions/${id}`, { student_ids: [personId] })),
};

test.each([flight, booking])(
  "$name: who had it is told, who has it is told, and nobody else is",
  async ({ kind, path, add, give }) => {
    const school = await newSchool();
    const { installation, student } = school;
    const [heir, other] = [await school.join(["student"]), await school.join(["student"])];
    const id = await add(school);
    expectStatus(200, await student.get(path(id)));
    const streams = await Promise.all([student, heir, other].map((member) => follow(installation, member)));

    await give(school, id, heir);
    const end = await mark(school);
    const told = await Promise.all(streams.map((stream) => stream.before("organization", end)));
    expect(told.map((changes) => changes.filter((one) => one === `${kind} ${id}`).length)).toEqual([1, 1, 0]);
    expect(await Promise.all([student, heir, other].map(async (by) => (await by.get(path(id))).status))).toEqual([
      404, 200, 404,
    ]);

    // What happens to it from then on is not theirs.
    const revision = streams[0]?.revision;
    await give(school, id, heir);
    const again = await follow(installation, student, revision);
    expect(await again.before("organization", await mark(school))).not.toContain(`${kind} ${id}`);
  },
);

test("two changes of one reading: who had it before the first is told", async () => {
  const school = await newSchool();
  const { installation, student } = school;
  const heirs = [await school.join(["student"]), await school.join(["student"])];
  const { id } = await school.draftFlight(school.owner);
  const stream = await follow(installation, student);
  await stream.close();
  for (const heir of heirs) await flight.give(school, id, heir);
  const end = await mark(school);
  for (const member of [student, ...heirs]) {
    const missed = await follow(installation, member, stream.revision);
    expect(await missed.before("organization", end)).toContain(`flight ${id}`);
  }
});

test("a person who is no longer that of the account is told to it", async () => {
  const school = await newSchool();
  const { installation, owner, student } = school;
  const stream = await follow(installation, student);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: null }));
  expect(await stream.before("organization", await mark(school))).toContain(`person ${student.personId}`);
  expectStatus(404, await student.get(`/people/${student.personId}`));
});
