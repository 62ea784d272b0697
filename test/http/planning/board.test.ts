import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";
import { booked, during, lesson, refused, solo } from "./booking.ts";

const day = "from=2098-07-01T00:00:00Z&to=2098-07-02T00:00:00Z";
const boardFor = async (by: Member, query = day) =>
  expectStatus(200, await by.get(`/planning/board?${query}`)).body.data;
const resourcesFor = async (by: Member) => expectStatus(200, await by.get("/planning/resources")).body.data;

async function newTeacher({ owner }: School, name: string, more: object = {}) {
  const body = { name, types: ["instructor"], email: "teacher@example.com", phone: "+49 30 1234567", ...more };
  return expectStatus(201, await owner.post("/people", body)).body.data.id;
}

test("resources: what can be booked, by name, without what is archived", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const [attic, cellar] = ["Attic", "Cellar"];
  for (const name of [cellar, attic]) expectStatus(201, await owner.post("/planning/rooms", { name, seats: 4 }));
  const rooms = (await owner.get("/planning/rooms")).body.data;
  expectStatus(200, await owner.patch(`/planning/rooms/${rooms[1].id}`, { status: "archived" }));
  const gone = expectStatus(
    201,
    await owner.post("/aircraft", { registration: "D-EAAA", model: "C152", class: "SEP" }),
  );
  expectStatus(200, await owner.patch(`/aircraft/${gone.body.data.id}`, { status: "archived" }));
  const first = await newTeacher(school, "Ada Able", {
    restricted_instructor: true,
    supervisor_id: instructor.personId,
  });
  const record = { person_id: first, type: "fi", issued_on: "2025-01-10", valid_until: "2028-01-31" };
  expectStatus(201, await owner.post("/compliance/records", record));
  const medical = { ...record, type: "medical", level: "class_2" };
  expectStatus(201, await owner.post("/compliance/records", medical));

  expect(await resourcesFor(owner)).toEqual({
    aircraft: [
      {
        ...{ id: school.aircraftId, registration: "D-EABC", model: "Cessna 172S", icao_type: "C172", class: "SEP" },
        ...{ seats: null, multi_pilot: false, status: "available" },
      },
    ],
    rooms: [{ id: rooms[0].id, name: attic, seats: 4 }],
    instructors: [
      {
        ...{ id: first, name: "Ada Able", restricted_instructor: true },
        qualifications: [{ type: "fi", level: null, valid_until: "2028-01-31" }],
      },
      { id: instructor.personId, name: "Ines Instructor", restricted_instructor: false, qualifications: [] },
    ],
    own_person_id: owner.personId,
    home: null,
  });
});

test("resources: where the school is, for the sunset, by its own profile, to all who see the board", async () => {
  const { owner, student } = await newSchool();
  const coordinates = { latitude: "-33.868800", longitude: "151.209300" };
  expectStatus(200, await owner.patch("/directory/school", coordinates));
  for (const by of [owner, student]) expect((await resourcesFor(by)).home).toEqual(coordinates);
});

test("a student can name and book an instructor, and learns nothing else about them", async () => {
  const school = await newSchool();
  const { student } = school;
  const id = await newTeacher(school, "Ada Able", {
    restricted_instructor: true,
    supervisor_id: school.instructor.personId,
  });
  const answer = await student.get("/planning/resources");
  const { instructors, own_person_id } = expectStatus(200, answer).body.data;
  expect(own_person_id).toBe(student.personId);
  expect(instructors[0]).toEqual({ id, name: "Ada Able", restricted_instructor: null, qualifications: null });
  for (const secret of ["teacher@example.com", "+49 30", "Sam Student"]) expect(answer.text).not.toContain(secret);
  await booked(student, { ...lesson(school, "2098-07-01T10:00Z"), instructor_id: instructors[0].id });
});

test("a board has all sessions of a day with what reaches into it, and why something else is busy", async () => {
  const school = await newSchool();
  const { owner, instructor, aircraftId } = school;
  const long = { kind: "maintenance", aircraft_id: aircraftId, ...during("2098-06-30T08:00Z", 60 * 20) };
  const sessions = [
    await booked(owner, long),
    await booked(owner, lesson(school, "2098-07-01T10:00Z")),
    await booked(owner, { kind: "ground", ...during("2098-07-01T15:00Z"), student_ids: [owner.personId] }),
  ];
  const dropped = await booked(owner, solo(school, "2098-07-01T12:00Z"));
  expectStatus(200, await owner.post(`/planning/sessions/${dropped.id}/cancel`, { reason: "weather" }));
  await booked(owner, solo(school, "2098-07-02T00:00Z"));
  for (const one of [
    { person_id: null, weekday: 2, from_time: "08:00", to_time: "20:00" },
    { person_id: instructor.personId, weekday: 2, from_time: "09:00", to_time: "17:00" },
  ])
    expectStatus(201, await owner.post("/planning/hours", one));
  const away = { person_id: instructor.personId, from_on: "2098-07-02", until_on: "2098-07-03", reason: "Ill" };
  expectStatus(201, await owner.post("/planning/absences", away));
  const other = expectStatus(
    201,
    await owner.post("/aircraft", { registration: "D-EGRD", model: "C152", class: "SEP" }),
  );
  const { id: grounded } = other.body.data;
  expectStatus(200, await owner.post(`/aircraft/${grounded}/ground`, { reason: "Nose wheel." }));
  expectStatus(201, await owner.post("/maintenance/work-orders", { aircraft_id: aircraftId, title: "Brakes" }));

  const board = await boardFor(owner);
  // In Berlin, it is two hours later.
  expect(board.open).toEqual([{ start_at: "2098-07-01T06:00:00.000Z", end_at: "2098-07-01T18:00:00.000Z" }]);
  expect(board.sessions.map(({ id }: { id: string }) => id)).toEqual(sessions.map(({ id }) => id));
  expect(board.sessions[1]).toEqual((await owner.get(`/planning/sessions/${sessions[1].id}`)).body.data);
  const busy = (type: string, resource_id: string, because: string, from: string, to: string) => ({
    ...{ type, resource_id, because, start_at: `2098-07-0${from}:00.000Z`, end_at: `2098-07-0${to}:00.000Z` },
  });
  const { personId } = instructor;
  expect(board.busy).toEqual(
    expect.arrayContaining([
      busy("aircraft", grounded, "grounded", "1T00:00", "2T00:00"),
      busy("aircraft", aircraftId, "out_of_service", "1T00:00", "2T00:00"),
      busy("instructor", personId, "absence", "1T22:00", "2T00:00"),
      busy("instructor", personId, "hours", "1T00:00", "1T07:00"),
      busy("instructor", personId, "hours", "1T15:00", "2T00:00"),
    ]),
  );
  expect(board.busy).toHaveLength(5);
});

test("a student sees their own sessions on the board, and of everything else that it is busy", async () => {
  const school = await newSchool();
  const { owner, instructor, student, aircraftId } = school;
  const other = await school.join(["student"], "Otto Other");
  const own = await booked(owner, lesson(school, "2098-07-01T08:00Z"));
  await booked(owner, {
    ...lesson(school, "2098-07-01T10:00Z"),
    ...{ student_ids: [other.personId], title: "First solo", notes: "Nervous." },
  });
  await booked(owner, { ...lesson(school, "2098-07-01T11:00Z"), student_ids: [other.personId] });
  await booked(owner, { kind: "ground", ...during("2098-07-01T15:00Z"), student_ids: [other.personId] });
  const away = { person_id: instructor.personId, from_on: "2098-07-02", until_on: "2098-07-03", reason: "Ill" };
  expectStatus(201, await owner.post("/planning/absences", away));

  const answer = await student.get(`/planning/board?${day}`);
  const { sessions, busy } = expectStatus(200, answer).body.data;
  expect(sessions.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  const because = null;
  const ten = { start_at: "2098-07-01T10:00:00.000Z", end_at: "2098-07-01T12:00:00.000Z", because };
  expect(busy).toHaveLength(3);
  expect(busy).toEqual(
    expect.arrayContaining([
      { type: "aircraft", resource_id: aircraftId, ...ten },
      { type: "instructor", resource_id: instructor.personId, ...ten },
      // The absence, which looks as a session of somebody else would.
      {
        ...{ type: "instructor", resource_id: instructor.personId, because },
        ...{ start_at: "2098-07-01T22:00:00.000Z", end_at: "2098-07-02T00:00:00.000Z" },
      },
    ]),
  );
  for (const secret of [other.personId, "Otto", "First solo", "Nervous", "Ill", "absence"])
    expect(answer.text).not.toContain(secret);
  // What the board shows is what a booking says.
  await refused(student, solo(school, "2098-07-01T11:30Z"));
  await booked(student, solo(school, "2098-07-01T12:00Z"));
});

test("a board is at most 9 days", async () => {
  const { owner } = await newSchool();
  const to = (end: string) => owner.get(`/planning/board?from=2098-07-01T00:00:00Z&to=${end}T00:00:00Z`);
  expectStatus(200, await to("2098-07-10"));
  expect(expectStatus(400, await to("2098-07-11")).body.issues[0]).toMatchObject({
    code: "too_many_days",
    params: { max: 9 },
  });
  expect(expectStatus(400, await to("2098-07-01")).body.issues[0]).toMatchObject({
    path: "query.to",
    code: "not_after",
  });
});

test("an instructor is busy as a student, too, by the board and by itself, and of a student nothing is told", async () => {
  const school = await newSchool();
  const { owner, student, instructor, aircraftId } = school;
  await booked(owner, { ...lesson(school, "2098-07-01T08:00Z"), student_ids: [] });
  await booked(owner, { ...solo(school, "2098-07-01T12:00Z"), student_ids: [instructor.personId] });
  await booked(owner, { ...during("2098-07-01T16:00Z"), kind: "ground", student_ids: [student.personId] });
  const time = "from=2098-07-01T00:00:00Z&to=2098-07-02T00:00:00Z";
  const busyOf = async (id: string) =>
    expectStatus(200, await student.get(`/planning/busy?resource_id=${id}&${time}`)).body.data;
  const times = (list: { start_at: string }[]) => list.map(({ start_at }) => start_at.slice(11, 13));
  expect(await busyOf(instructor.personId)).toMatchObject([{ type: "instructor" }, { type: "instructor" }]);
  const { busy } = expectStatus(200, await student.get(`/planning/board?${time}`)).body.data;
  for (const id of [aircraftId, instructor.personId]) {
    const onBoard = busy.filter(({ resource_id }: { resource_id: string }) => resource_id === id);
    expect([times(await busyOf(id)), times(onBoard)]).toEqual([
      ["08", "12"],
      ["08", "12"],
    ]);
  }
  expect(await busyOf(student.personId)).toEqual([]);
});
