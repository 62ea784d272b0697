import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool, newSchool, statuses, times } from "../../support/school.ts";

test("approveFlight posts a flight once even if approvals race", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student, { blockMinutes: 62 });
  const before = await school.aircraft();

  const answers = await Promise.all(times(8, () => school.instructor.post(`/flights/${flight.id}/approve`)));

  expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
  expect(await school.aircraft()).toMatchObject({ airframe_minutes: before.airframe_minutes + 62 });
});

test("approveFlight adds the differences of the readings to Hobbs and tacho, the airborne time to the airframe time, and all landings", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student, {
    body: {
      off_block_at: "2026-06-14T07:00:00Z",
      take_off_at: "2026-06-14T07:08:00Z",
      landing_at: "2026-06-14T07:55:00Z",
      on_block_at: "2026-06-14T08:02:00Z",
      hobbs_start: "1234.50",
      hobbs_end: "1235.53",
      tacho_start: "1100.00",
      tacho_end: "1100.81",
      day_landings: 2,
      night_landings: 3,
      night_minutes: 30,
    },
  });
  expect(flight).toMatchObject({ block_minutes: 62, airborne_minutes: 47, warnings: [] });

  await school.instructor.post(`/flights/${flight.id}/approve`);

  const { hobbs, tacho, airframe_minutes, landings } = await school.aircraft();
  expect({ hobbs, tacho, airframe_minutes, landings }).toEqual({
    hobbs: "1235.53",
    tacho: "1100.81",
    airframe_minutes: 74070 + 47,
    landings: 5,
  });
});

test("approveFlight rejects a flight that is not submitted and names its status", async () => {
  const school = await newSchool();
  const draft = await school.draftFlight(school.student);

  const answer = await school.instructor.post(`/flights/${draft.id}/approve`);

  expect(answer.status).toBe(409);
  expect(answer.body.error).toMatchObject({ code: "CONFLICT", message: "The flight is draft, not submitted." });
});

test("approveFlight rejects an approver who flew the flight if another member can approve it", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.instructor, {
    body: { crew: [{ person_id: school.instructor.personId, function: "pic" }] },
  });

  const refused = await school.instructor.post(`/flights/${flight.id}/approve`, { reason: "I was there." });
  expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);

  expect((await school.owner.post(`/flights/${flight.id}/approve`)).status).toBe(200);
});

test("approveFlight matches an approver by e-mail address if the person has no linked account", async () => {
  const school = await newSchool();
  const { personId, email } = school.instructor;
  await school.owner.patch(`/people/${personId}`, { user_id: null, email });
  const flight = await school.submitFlight(school.owner, {
    body: { crew: [{ person_id: personId, function: "pic" }] },
  });

  expect((await school.instructor.post(`/flights/${flight.id}/approve`)).status).toBe(403);
});

test("approveFlight lets the only possible approver approve their own flight and records the reason", async () => {
  const school = await newSchool();
  await school.owner.delete(`/members/${school.instructor.userId}`);
  const flight = await school.submitFlight(school.owner, {
    body: { crew: [{ person_id: school.owner.personId, function: "pic" }] },
  });

  const silent = await school.owner.post(`/flights/${flight.id}/approve`);
  expect([silent.status, silent.body.issues[0].path]).toEqual([400, "body.reason"]);

  const reason = "We are two, and the other one is on leave.";
  const approved = await school.owner.post(`/flights/${flight.id}/approve`, { reason });
  expect(approved.body.data).toMatchObject({ status: "approved", self_approval_reason: reason });
  const log = await school.owner.get("/audit-log?action=flight.approved");
  expect(log.body.data[0].after).toMatchObject({ self_approval_reason: reason });
});

test("approveFlight rejects an outdated revision", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  await school.student.patch(`/flights/${flight.id}`, { remarks: "Two touch-and-goes." });

  const stale = await school.instructor.post(`/flights/${flight.id}/approve`, { revision: flight.revision });
  expect(stale.status).toBe(409);
  expect(stale.body.error.message).toContain("revision 2");

  expect((await school.instructor.post(`/flights/${flight.id}/approve`, { revision: 2 })).status).toBe(200);
});

test("a student can't approve, reject or reverse a flight", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  for (const move of ["approve", "reject", "reverse"]) {
    const body = move === "approve" ? undefined : { reason: "Because." };
    expect((await school.student.post(`/flights/${flight.id}/${move}`, body)).status).toBe(403);
  }
  expect((await school.student.get(`/flights/${flight.id}`)).body.data.status).toBe("submitted");
});

test("an approver who flew a submitted flight can't approve it after changing its crew or their person", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const admin = await school.join(["admin", "instructor"], "Ada Admin");
  const crewOf = ({ personId }: { personId: string }, name: string) => [{ person_id: personId, function: name }];

  const swapped = await school.submitFlight(instructor, { body: { crew: crewOf(instructor, "pic") } });
  await instructor.patch(`/flights/${swapped.id}`, { crew: crewOf(student, "solo") });
  expect((await instructor.post(`/flights/${swapped.id}/approve`)).status).toBe(403);

  const unlinked = await school.submitFlight(admin, { body: { crew: crewOf(admin, "pic") } });
  await admin.patch(`/people/${admin.personId}`, { user_id: null, email: null });
  expect((await admin.post(`/flights/${unlinked.id}/approve`)).status).toBe(403);

  const relinked = await school.submitFlight(owner, { body: { crew: crewOf(owner, "pic") } });
  await owner.patch(`/people/${owner.personId}`, { user_id: admin.userId });
  expect((await owner.post(`/flights/${relinked.id}/approve`)).status).toBe(403);
});

test("an approver who flew can't approve after an edit that follows the change of their person", async () => {
  const { owner, instructor, submitFlight } = await newSchool();
  const crew = [{ person_id: instructor.personId, function: "pic" }];
  const flight = await submitFlight(instructor, { body: { crew } });
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { user_id: null, email: null }));

  expectStatus(200, await instructor.patch(`/flights/${flight.id}`, { remarks: "Two touch-and-goes." }));

  expectStatus(403, await instructor.post(`/flights/${flight.id}/approve`));
});

test("an approver whose person is linked only after the submission can't approve the flight", async () => {
  const { owner, instructor, submitFlight } = await newSchool();
  const { personId, userId } = instructor;
  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: null, email: null }));
  const flight = await submitFlight(owner, { body: { crew: [{ person_id: personId, function: "pic" }] } });

  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: userId }));

  expectStatus(403, await instructor.post(`/flights/${flight.id}/approve`));
});

test("an approver whom an edit adds to the crew of a submitted flight can't approve it, even after another edit", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const crewOf = ({ personId }: { personId: string }, name: string) => [{ person_id: personId, function: name }];
  const flight = await school.submitFlight(student);

  expectStatus(200, await owner.patch(`/flights/${flight.id}`, { crew: crewOf(instructor, "pic") }));
  expectStatus(403, await instructor.post(`/flights/${flight.id}/approve`));

  expectStatus(200, await owner.patch(`/flights/${flight.id}`, { crew: crewOf(student, "solo") }));
  expectStatus(403, await instructor.post(`/flights/${flight.id}/approve`));
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
});

test("if all possible approvers flew a flight, one of them can approve it with a reason", async () => {
  const school = await newSchool();
  const crew = [
    { person_id: school.instructor.personId, function: "instructor" },
    { person_id: school.owner.personId, function: "dual" },
  ];
  const flight = await school.submitFlight(school.instructor, { body: { crew } });
  expect((await school.owner.post(`/flights/${flight.id}/approve`)).status).toBe(400);
  const approved = await school.owner.post(`/flights/${flight.id}/approve`, { reason: "There is nobody else." });
  expect(approved.body.data).toMatchObject({ status: "approved", self_approval_reason: "There is nobody else." });
});

test("an approver on board can't approve after naming all others as crew and taking them out again", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const reason = "There is nobody else.";
  const crew = [
    { person_id: instructor.personId, function: "instructor" },
    { person_id: owner.personId, function: "dual" },
  ];
  const flight = await school.submitFlight(instructor, { body: { crew } });
  await instructor.patch(`/flights/${flight.id}`, { crew: [{ person_id: instructor.personId, function: "pic" }] });

  const own = await instructor.post(`/flights/${flight.id}/approve`, { reason });
  expect([own.status, own.body.error.reason]).toEqual([403, "own_flight"]);

  // The other approver was named, so their approval is marked.
  const silent = await owner.post(`/flights/${flight.id}/approve`);
  expect([silent.status, silent.body.issues[0].path]).toEqual([400, "body.reason"]);
  const marked = await owner.post(`/flights/${flight.id}/approve`, { reason });
  expect(marked.body.data).toMatchObject({ status: "approved", self_approval_reason: reason });
});

test("an approver who was taken out of the crew gives way to one who was never in it", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  const flight = await school.submitFlight(instructor, {
    body: { crew: [{ person_id: instructor.personId, function: "pic" }] },
  });
  await instructor.patch(`/flights/${flight.id}`, { crew: [{ person_id: student.personId, function: "solo" }] });

  expect((await instructor.post(`/flights/${flight.id}/approve`, { reason: "Sam flew." })).status).toBe(403);
  const approved = await owner.post(`/flights/${flight.id}/approve`);
  expect(approved.body.data).toMatchObject({ status: "approved", self_approval_reason: null });
});

test.each([
  ["account", { user_id: null, email: null }, {}],
  ["e-mail address", { email: null }, { user_id: null }],
])(
  "an approver can't approve a flight that they flew before their person's %s was removed",
  async (_, removal, before) => {
    const school = await newSchool();
    const admin = await school.join(["admin"], "Ada Admin");
    await admin.patch(`/people/${admin.personId}`, { email: admin.email, ...before });
    await admin.patch(`/people/${admin.personId}`, removal);

    const crew = [{ person_id: admin.personId, function: "pic" }];
    const flight = await school.submitFlight(admin, { body: { crew } });

    const own = await admin.post(`/flights/${flight.id}/approve`, { reason: "I did not fly it." });
    expect([own.status, own.body.error.reason]).toEqual([403, "own_flight"]);
  },
);

test("an approver who is unlinked, and moves the flight to a later time, still flew it", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner } = school;
  const crew = [{ person_id: owner.personId, function: "pic" }];
  const later = () => ({
    off_block_at: new Date(installation.clock.now().getTime() - 2 * 60_000).toISOString(),
    on_block_at: installation.clock.now().toISOString(),
  });
  await owner.patch(`/people/${owner.personId}`, { user_id: null, email: null });
  // Drafted after the unlink, submitted with the true time, which is before it.
  const flight = await school.submitFlight(owner, { body: { crew } });
  installation.clock.advance(4 * 60_000);
  expectStatus(200, await owner.patch(`/flights/${flight.id}`, later()));
  expectStatus(403, await owner.post(`/flights/${flight.id}/approve`));
  installation.clock.advance(4 * 60_000);
  expectStatus(200, await owner.patch(`/flights/${flight.id}`, later()));
  expectStatus(403, await owner.post(`/flights/${flight.id}/approve`));

  await owner.patch(`/people/${owner.personId}`, { user_id: owner.userId, email: owner.email });
  const drafted = await school.draftFlight(owner, { body: { crew } });
  await owner.patch(`/people/${owner.personId}`, { user_id: null, email: null });
  installation.clock.advance(4 * 60_000);
  // Its time is moved before it is submitted.
  expectStatus(200, await owner.patch(`/flights/${drafted.id}`, later()));
  expectStatus(200, await owner.post(`/flights/${drafted.id}/submit`));
  expectStatus(403, await owner.post(`/flights/${drafted.id}/approve`));
});

test("an account that was unlinked from a person before the flight may not approve it", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner, instructor } = school;
  await owner.patch(`/people/${owner.personId}`, { user_id: null, email: null });
  installation.clock.advance(10 * 60_000);
  const onBlock = installation.clock.now().getTime();
  const body = {
    off_block_at: new Date(onBlock - 5 * 60_000).toISOString(),
    on_block_at: new Date(onBlock).toISOString(),
    crew: [{ person_id: owner.personId, function: "pic" }],
  };
  const flight = await school.submitFlight(instructor, { body });

  const refused = await owner.post(`/flights/${flight.id}/approve`);
  expect([refused.status, refused.body.error.reason]).toEqual([403, "own_flight"]);
});
