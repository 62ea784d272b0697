/** Landings belong to who flew them: to the student on instruction, else to the pilot, unless others are entered. */
import { expect, test } from "bun:test";
import { csv, expectStatus, newSchool, type School, times } from "../../support/school.ts";
import { doneOf, enroll, everyMinimum, fly, newTrainingSchool, progressOf, small } from "../training/school.ts";

/** "student 3+1": who landed how often by day and at night. */
const told = ({ student, instructor }: School, { crew }: { crew: Record<string, unknown>[] }) =>
  crew.map(({ person_id, day_landings, night_landings }) => {
    const name = { [student.personId]: "student", [instructor.personId]: "instructor" }[String(person_id)] ?? "other";
    return `${name} ${day_landings}+${night_landings}`;
  });

const onBoard = (member: { personId: string }, as: string, own: object = {}) => ({
  ...{ person_id: member.personId, function: as },
  ...own,
});
const landings = { day_landings: 3, night_landings: 1, night_minutes: 10 };

/** Functions on board of a student and an instructor, and who makes the landings of a flight of which nobody said it. */
const defaults: [student: string | null, instructor: string | null, told: string[]][] = [
  ["dual", "instructor", ["student 3+1", "instructor 0+0"]],
  ["spic", "instructor", ["student 3+1", "instructor 0+0"]],
  ["solo", null, ["student 3+1"]],
  [null, "pic", ["instructor 3+1"]],
  ["co_pilot", "pic", ["student 0+0", "instructor 3+1"]],
  ["picus", "pic", ["student 0+0", "instructor 3+1"]],
];

test.each(defaults)(
  "a flight with a student as %p and an instructor as %p has landings %p",
  async (as, other, expected) => {
    const school = await newSchool();
    const { student, instructor, owner } = school;
    const crew = [
      ...(as === null ? [] : [onBoard(student, as)]),
      ...(other === null ? [] : [onBoard(instructor, other)]),
    ];
    const flight = await school.submitFlight(owner, { body: { ...landings, crew } });
    expect(told(school, flight)).toEqual(expected);
    expect(told(school, expectStatus(200, await owner.get(`/flights/${flight.id}`)).body.data)).toEqual(expected);
  },
);

test("landings that are entered for a member are theirs, and the others are the student's or the pilot's", async () => {
  const school = await newSchool();
  const { student, instructor, owner } = school;
  const drafted = async (ofInstructor: object, ofStudent: object = {}) => {
    const crew = [onBoard(instructor, "instructor", ofInstructor), onBoard(student, "dual", ofStudent)];
    const answer = await owner.post("/flights", school.flightBody({ body: { ...landings, crew } }));
    return answer.status === 201
      ? told(school, answer.body.data)
      : answer.body.issues.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
  };
  expect(await drafted({ day_landings: 1 })).toEqual(["instructor 1+0", "student 2+1"]);
  expect(await drafted({ day_landings: 3, night_landings: 1 })).toEqual(["instructor 3+1", "student 0+0"]);
  expect(await drafted({ day_landings: null }, { day_landings: 2 })).toEqual(["instructor 0+0", "student 2+1"]);
  expect(await drafted({ day_landings: 2 }, { day_landings: 1 })).toEqual(["instructor 2+0", "student 1+1"]);
  expect(await drafted({ day_landings: 4 })).toEqual(["body.day_landings impossible"]);
  expect(await drafted({ day_landings: 2 }, { day_landings: 2 })).toEqual(["body.day_landings impossible"]);
  expect(await drafted({ night_landings: 1 }, { night_landings: 1 })).toEqual(["body.night_landings impossible"]);
  expect(await drafted({ day_landings: -1 })).toEqual(["body.crew.0.day_landings too_small"]);
});

test("an edit of the landings gives them to who makes them by default, and keeps those that were entered", async () => {
  const school = await newSchool();
  const { student, instructor } = school;
  const crew = [onBoard(instructor, "instructor"), onBoard(student, "dual")];
  const { id } = await school.submitFlight(instructor, { body: { day_landings: 1, crew } });
  const edit = async (change: object) => {
    const answer = await instructor.patch(`/flights/${id}`, change);
    return answer.status === 200 ? told(school, answer.body.data) : answer.body.issues;
  };
  expect(await edit({ day_landings: 5 })).toEqual(["instructor 0+0", "student 5+0"]);
  expect(await edit({ remarks: "Gusty." })).toEqual(["instructor 0+0", "student 5+0"]);

  const entered = [onBoard(instructor, "instructor", { day_landings: 2 }), onBoard(student, "dual")];
  expect(await edit({ crew: entered })).toEqual(["instructor 2+0", "student 3+0"]);
  expect(await edit({ remarks: "Calm." })).toEqual(["instructor 2+0", "student 3+0"]);
  expect(await edit({ night_landings: 2, night_minutes: 10 })).toEqual(["instructor 2+0", "student 3+2"]);
  expect(await edit({ day_landings: 4 })).toEqual([
    {
      ...{ path: "body.day_landings", code: "impossible" },
      message: "Must not be less than the landings of the crew: 5.",
    },
  ]);
  expect(await edit({ day_landings: 6 })).toEqual(["instructor 2+0", "student 3+2"]);
  expect(await edit({ crew })).toEqual(["instructor 0+0", "student 6+2"]);
  expect(await edit({ crew: [onBoard(instructor, "pic")] })).toEqual(["instructor 6+2"]);
});

test("an instructor has the landings that they made, in the logbook and as recent experience, and the student the others", async () => {
  const school = await newSchool();
  const { owner, student, instructor, aircraftId } = school;
  const logged = async (member: { personId: string }) => {
    const { to_date } = expectStatus(200, await owner.get(`/people/${member.personId}/logbook`)).body;
    return [to_date.day_landings, to_date.night_landings];
  };
  const missing = async () => {
    const query = `aircraft_id=${aircraftId}&person_id=${instructor.personId}&function=pic&passengers=1`;
    const { reasons } = expectStatus(200, await owner.get(`/clearance?${query}`)).body.data;
    const found = reasons.find(({ rule }: { rule: string }) => rule === "passenger_recency");
    return found?.missing[0].amount ?? 0;
  };
  const fly = async (own: object) => {
    const crew = [onBoard(instructor, "instructor", own), onBoard(student, "dual")];
    const flight = await school.submitFlight(owner, { body: { day_landings: 3, crew } });
    expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
    return flight.id;
  };
  for (const _ of times(22, () => 0)) await fly({});
  expect([await logged(instructor), await logged(student), await missing()]).toEqual([[0, 0], [66, 0], 3]);

  const last = await fly({ day_landings: 2 });
  expect([await logged(instructor), await logged(student), await missing()]).toEqual([[2, 0], [67, 0], 1]);
  await fly({ day_landings: 1 });
  expect(await missing()).toBe(0);
  expectStatus(200, await owner.post(`/flights/${last}/reverse`, { reason: "A mistake." }));
  expect([await logged(instructor), await logged(student), await missing()]).toEqual([[1, 0], [68, 0], 2]);
});

test("the progress of a student counts their own landings", async () => {
  const school = await newTrainingSchool({ ...small, minima: everyMinimum });
  const { owner, student, instructor, revision } = school;
  const enrollment = await enroll(school);
  const crew = [onBoard(instructor, "instructor", { day_landings: 1 }), onBoard(student, "dual")];
  const body = { ...landings, crew, nature: "training", lesson_id: revision.lesson("1").id };
  const { id } = await school.submitFlight(owner, { body });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  await fly(school, { lesson: "2", function: "solo", body: landings });
  expect(doneOf(await progressOf(school, enrollment))).toMatchObject({
    ...{ landings: 3 + 4, solo_landings: 4, solo_night_landings: 1 },
  });
});

test("programs read the landings of each crew member, in the public API and in events", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const crew = [onBoard(instructor, "instructor", { day_landings: 1 }), onBoard(student, "dual")];
  const { id } = await school.submitFlight(owner, { body: { ...landings, crew } });
  const key = await school.apiKey("public.flights:read", "public.events:read");
  const shown = expectStatus(200, await school.publicGet(`/flights/${id}`, key)).body.data;
  expect(told(school, shown)).toEqual(["instructor 1+0", "student 2+1"]);
  const events = expectStatus(200, await school.publicGet("/events?type=flight.submitted", key)).body.data;
  expect(events[0].data.flight.crew).toEqual(shown.crew);
});

const heading = "registration,off_block_at,on_block_at,departure,arrival,day_landings,night_landings,night_minutes";
const line = (day: number) => `D-EABC,2025-05-0${day}T18:00:00Z,2025-05-0${day}T19:00:00Z,EDFE,EDKB,3,1,10`;

test("an import has columns for the landings of those who have none by default", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const send = (file: string) => owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body: csv(file) });
  const columns = `${heading},dual,instructor,pic,co_pilot,picus,instructor_day_landings,co_pilot_night_landings,picus_day_landings`;
  const file = [
    columns,
    `${line(1)},${student.email},${instructor.email},,,,,,`,
    `${line(2)},${student.email},${instructor.email},,,,2,,`,
    `${line(3)},,,${instructor.email},${student.email},,,1,`,
    `${line(4)},,,${instructor.email},,${student.email},,,3`,
  ].join("\n");
  expect(expectStatus(200, await send(file)).body.data).toMatchObject({ created: 4 });
  const stored = expectStatus(200, await owner.get("/flights")).body.data;
  expect(stored.map((flight: { crew: [] }) => told(school, flight).sort())).toEqual([
    ["instructor 0+1", "student 3+0"],
    ["instructor 3+0", "student 0+1"],
    ["instructor 2+0", "student 1+1"],
    ["instructor 0+0", "student 3+1"],
  ]);
  expect(expectStatus(200, await send(file)).body.data).toMatchObject({ created: 0, unchanged: 4 });

  const faulty = [
    columns,
    `${line(2)},${student.email},${instructor.email},,,,1,,`,
    `${line(5)},${student.email},${instructor.email},,,,4,,`,
    `${line(6)},,,${instructor.email},,,1,,`,
    `${line(7)},,,${instructor.email},${student.email},,,x,`,
  ].join("\n");
  const { issues } = expectStatus(400, await send(faulty)).body;
  expect(issues.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
    "body.2.instructor_day_landings differs",
    "body.3.day_landings impossible",
    "body.4.instructor_day_landings crew",
    "body.5.co_pilot_night_landings invalid_type",
  ]);
});

test("the list of flights as CSV has the landings of the crew, and its import into another school, too", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const crew = [onBoard(instructor, "instructor", { day_landings: 1 }), onBoard(student, "dual")];
  const { id } = await school.submitFlight(owner, { body: { ...landings, crew } });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  const list = await owner.call("GET", `/orgs/${owner.orgId}/flights?status=approved`, {
    headers: { accept: "text/csv" },
  });

  const other = await newSchool();
  const send = (text: string) => other.owner.call("POST", `/orgs/${other.orgId}/flights/import`, { body: csv(text) });
  expect(expectStatus(200, await send(list.text)).body.data).toMatchObject({ created: 1 });
  const [flight] = expectStatus(200, await other.owner.get("/flights")).body.data;
  expect(told(other, flight)).toEqual(["instructor 1+0", "student 2+1"]);
  expect(expectStatus(200, await send(list.text)).body.data).toMatchObject({ created: 0, unchanged: 1 });
  const changed = list.text.replace('""day_landings"":1', '""day_landings"":0');
  expect(expectStatus(400, await send(changed)).body.issues).toMatchObject([{ path: "body.2.crew", code: "differs" }]);
});
