import { expect, test } from "bun:test";
import ICAL from "ical.js";
import type { Instant } from "../../../src/core/clock.ts";
import { feedOf } from "../../../src/modules/planning/calendars/feed.ts";
import { expectStatus, newOwnSchool, newSchool, type School, statuses, times } from "../../support/school.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { newMailingSchool } from "../notifications/mailing.ts";
import { booked, during, lesson, solo } from "./booking.ts";

async function feed(school: School, id: string, headers = {}) {
  const share = { purpose: "calendar", subject_id: id, name: "Phone" };
  const { token } = expectStatus(201, await school.owner.post("/share-tokens", share)).body.data;
  const path = `/public/orgs/${school.orgId}/calendars/${id}.ics?token=${token}`;
  return { path, token, answer: await school.installation.call("GET", path, { headers }) };
}

/** The events of a calendar, as another implementation reads them. */
const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      start_at: event.startDate.toJSDate().toISOString(),
      end_at: event.endDate.toJSDate().toISOString(),
      status: component.getFirstPropertyValue("status") as string,
      summary: event.summary,
    };
  });

// biome-ignore lint/suspicious/noExplicitAny: see Answer
const expected = ({ id, sequence, start_at, end_at }: any, status: string, summary: string) => ({
  ...{ uid: `${id}@windsock`, sequence, start_at, end_at, status, summary },
});

test("a feed has the sessions of a person, an aircraft, a room or the school, as the API has them", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const { id: room_id } = expectStatus(201, await owner.post("/planning/rooms", { name: "Attic" })).body.data;
  // The clock of Berlin goes back on 25 October 2026, the installation's is in June.
  const before = await booked(owner, { ...lesson(school, "2026-10-24T08:00Z"), title: "Circuits, solo; 3×" });
  const after = await booked(owner, solo(school, "2026-10-26T08:00Z"));
  const ground = await booked(owner, { ...during("2026-10-25T00:30Z"), kind: "ground", room_id, notes: "Private." });
  expectStatus(200, await owner.post(`/planning/sessions/${after.id}/cancel`, { reason: "weather" }));
  const events = [
    expected(before, "CONFIRMED", "Circuits, solo; 3×: D-EABC, Ines Instructor, Sam Student"),
    expected({ ...after, sequence: 1 }, "CANCELLED", "Flight: D-EABC, Sam Student"),
  ];
  const { answer } = await feed(school, student.personId);
  expect(answer.headers.get("content-type")).toBe("text/calendar;charset=utf-8");
  expect(answer.text).not.toContain("Private.");
  expect(eventsOf(answer.text)).toEqual(events);
  expect(eventsOf((await feed(school, school.aircraftId)).answer.text)).toEqual(events);
  const inRoom = expected(ground, "CONFIRMED", "Ground");
  expect(eventsOf((await feed(school, room_id)).answer.text)).toEqual([inRoom]);
  const all = eventsOf((await feed(school, school.orgId)).answer.text);
  expect(all.map(({ uid }) => uid)).toEqual([before, ground, after].map(({ id }) => `${id}@windsock`));
});

test("a moved session keeps its UID and has a higher SEQUENCE; the ETag tells whether anything changed", async () => {
  const school = await newSchool();
  const session = await booked(school.owner, solo(school, "2026-07-01T08:00Z"));
  const { path, answer } = await feed(school, school.aircraftId);
  const held = { headers: { "if-none-match": answer.headers.get("etag") ?? "" } };
  expectStatus(304, await school.installation.call("GET", path, held));
  const moved = await school.owner.post(`/planning/sessions/${session.id}/reschedule`, {
    start_at: "2026-07-01T09:00:00Z",
  });
  const { text } = expectStatus(200, await school.installation.call("GET", path, held));
  const summary = "Flight: D-EABC, Sam Student";
  expect(eventsOf(text)).toEqual([expected({ ...moved.body.data, sequence: 1 }, "CONFIRMED", summary)]);
});

test("a feed needs the token of its own calendar, and students share only their own", async () => {
  const school = await newSchool();
  const { student, installation, orgId, aircraftId, instructor } = school;
  const { token } = await feed(school, aircraftId);
  for (const [id, with_] of [
    [student.personId, token],
    [aircraftId, "unknown"],
    [student.userId, token],
  ])
    expectStatus(404, await installation.call("GET", `/public/orgs/${orgId}/calendars/${id}.ics?token=${with_}`));
  expectStatus(404, await installation.call("GET", `/public/orgs/${orgId}/calendars/${aircraftId}.ics`));
  const share = (subject_id: string) =>
    student.post("/share-tokens", { purpose: "calendar", subject_id, name: "Phone" });
  expectStatus(201, await share(student.personId));
  for (const id of [aircraftId, orgId, instructor.personId]) expectStatus(404, await share(id));
});

test("those who take part get mails that calendars take as updates", async () => {
  const school = await newMailingSchool();
  const { owner, student } = school;
  const session = await booked(owner, { ...solo(school, "2026-07-01T08:00Z"), title: "Circuits" });
  const mailed = async () => {
    await school.send();
    return school.sent().map(({ to, subject, calendar }) => {
      const method = calendar && ICAL.parse(calendar.content)[1].find(([name]: [string]) => name === "method")?.[3];
      return { to, subject, method, events: calendar && eventsOf(calendar.content) };
    });
  };
  const mail = (subject: string, method: string, event: ReturnType<typeof eventsOf>[number]) => [
    { to: student.email, subject, method, events: [event] },
  ];
  const summary = "Circuits: D-EABC, Sam Student";
  expect(await mailed()).toEqual(
    mail(
      "Session booked: 1 July 2026, 10:00 to 11:00 (Europe/Berlin)",
      "REQUEST",
      expected(session, "CONFIRMED", summary),
    ),
  );
  const path = `/planning/sessions/${session.id}`;
  const moved = expectStatus(200, await owner.post(`${path}/reschedule`, { start_at: "2026-07-01T22:30:00Z" })).body
    .data;
  expect(await mailed()).toEqual(
    mail(
      "Session changed: 2 July 2026, 00:30 to 01:30 (Europe/Berlin)",
      "REQUEST",
      expected(moved, "CONFIRMED", summary),
    ),
  );
  // Who takes part no longer gets a cancellation with the time that they know, and no names.
  const handedOver = {
    student_ids: [owner.personId],
    start_at: "2026-07-02T08:00:00Z",
    end_at: "2026-07-02T09:00:00Z",
  };
  const { sequence } = expectStatus(200, await owner.patch(path, handedOver)).body.data;
  const sent = await mailed();
  expect(sent.map(({ to, method }) => [to, method]).sort()).toEqual([
    [owner.email, "REQUEST"],
    [student.email, "CANCEL"],
  ]);
  expect(sent.find(({ to }) => to === student.email)).toEqual({
    ...{ to: student.email, method: "CANCEL" },
    subject: "You no longer take part: 2 July 2026, 00:30 to 01:30 (Europe/Berlin)",
    events: [expected({ ...moved, sequence }, "CANCELLED", "Flight")],
  });
  // What was cancelled before the mail was sent is told once.
  expectStatus(200, await owner.patch(path, { title: "Other" }));
  expectStatus(200, await owner.post(`${path}/cancel`, { reason: "weather", note: "Fog." }));
  const [last, ...rest] = await mailed();
  expect([last?.to, last?.method, rest]).toEqual([owner.email, "CANCEL", []]);
  expectStatus(200, await student.patch("/notification-preferences", { planning: false }));
  await booked(owner, solo(school, "2026-07-03T08:00Z"));
  expect(await mailed()).toEqual([]);
});

test("of a series, each who takes part gets one mail, with all their sessions", async () => {
  const school = await newMailingSchool();
  const { owner, student, instructor, aircraftId } = school;
  const lessons = { kind: "lesson", aircraft_id: aircraftId, instructor_id: instructor.personId };
  const when = { from_on: "2026-07-01", count: 20, weekdays: [1, 2, 3, 4, 5], from_time: "18:00", minutes: 90 };
  const series = { ...lessons, student_ids: [student.personId], ...when };
  const { sessions } = expectStatus(201, await owner.post("/planning/series", series)).body.data;
  const mailed = async () => {
    await school.send();
    const sent = school.sent().map(({ to, subject, calendar }) => ({
      ...{ to, subject, method: calendar?.method as string },
      uids: eventsOf(calendar?.content ?? "").map(({ uid, sequence }) => `${uid} ${sequence}`),
    }));
    return sent.sort((one, other) => (one.to < other.to ? -1 : 1));
  };
  const uids = (sequence: number, all = sessions) => all.map(({ id }: { id: string }) => `${id}@windsock ${sequence}`);
  const mail = (to: string, subject: string, uids: string[]) => ({ to, subject, method: "PUBLISH", uids });
  const booking = "Sessions booked: 20, the first on 1 July 2026, 18:00 to 19:30 (Europe/Berlin)";
  const both = [instructor.email, student.email].sort();
  expect(await mailed()).toEqual(both.map((to) => mail(to, booking, uids(0))));
  const path = `/planning/sessions/${sessions[0].id}`;
  expectStatus(200, await owner.post(`${path}/reschedule`, { start_at: "2026-07-01T17:00:00Z", scope: "following" }));
  const change = "Sessions changed: 20, the first on 1 July 2026, 19:00 to 20:30 (Europe/Berlin)";
  expect(await mailed()).toEqual(both.map((to) => mail(to, change, uids(1))));
  // Somebody else has the last one.
  expectStatus(200, await owner.patch(`/planning/sessions/${sessions[19].id}`, { student_ids: [owner.personId] }));
  await mailed();
  expectStatus(200, await owner.post(`${path}/cancel`, { reason: "weather", scope: "following" }));
  const mails = await mailed();
  expect(mails.map(({ to, method, uids: { length } }) => [to, method, length])).toEqual(
    [
      [instructor.email, "PUBLISH", 20],
      [owner.email, "CANCEL", 1],
      [student.email, "PUBLISH", 19],
    ].sort(),
  );
});

test("a name with a comma is read as it is, and every line ends", async () => {
  const school = await newSchool();
  const name = "Room 1; left, with \\";
  const { id } = expectStatus(201, await school.owner.post("/planning/rooms", { name })).body.data;
  const { text } = (await feed(school, id)).answer;
  // ical.js does not know that these are text (RFC 7986, 5.1).
  for (const property of ["NAME", "X-WR-CALNAME"]) {
    const known = text.replace(`\r\n${property}:`, "\r\nSUMMARY:");
    expect(new ICAL.Component(ICAL.parse(known)).getFirstPropertyValue("summary")).toBe(name);
  }
  expect(text).toEndWith("END:VCALENDAR\r\n");
});

test("what has no title is named in the language of the person, their account or the school", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  await booked(owner, { ...lesson(school, "2026-10-24T08:00Z"), title: null });
  const named = async (id: string) => eventsOf((await feed(school, id)).answer.text)[0]?.summary.split(":")[0];
  expect(await Promise.all([student.personId, school.orgId].map(named))).toEqual(["Lesson", "Lesson"]);
  expectStatus(200, await owner.patch("/finance/settings", { language: "de" }));
  expectStatus(200, await student.call("PATCH", "/auth/me", { body: { language: "de" } }));
  const ofThree = [student.personId, instructor.personId, school.orgId];
  expect(await Promise.all(ofThree.map(named))).toEqual(["Unterricht", "Lesson", "Unterricht"]);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { language: "en" }));
  expect(await named(student.personId)).toBe("Lesson");
});

test("a feed has the sessions of the 31 days before today and of the 183 from today on", async () => {
  const school = await newSchool();
  const outside = ["2026-05-13T08:00Z", "2026-12-14T08:00Z"];
  const inside = ["2026-05-14T08:00Z", "2026-12-13T08:00Z"];
  for (const at of [...outside, ...inside]) await booked(school.owner, solo(school, at));
  const { answer } = await feed(school, school.orgId);
  const starts = eventsOf(answer.text).map(({ start_at }) => start_at);
  expect(starts).toEqual(inside.map((at) => new Date(at).toISOString()));
});

test("a feed that is too long leaves the oldest out", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner, orgId } = school;
  for (const day of ["06-12", "06-13", "06-15", "06-16", "06-17"])
    await booked(owner, solo(school, `2026-${day}T08:00Z`));
  const days = async (limit: number) => {
    const text = await feedOf(
      { control: installation.storage.control, tenant: tenantOf(school) },
      orgId,
      installation.clock.now().toISOString() as Instant,
      limit,
    );
    return eventsOf(text).map(({ start_at }) => start_at.slice(8, 10));
  };
  expect(await days(5)).toEqual(["12", "13", "15", "16", "17"]);
  expect(await days(4)).toEqual(["13", "15", "16", "17"]);
  expect(await days(2)).toEqual(["15", "16"]);
});

test("a calendar is read at most 60 times a minute", async () => {
  const school = await newSchool();
  const { path } = await feed(school, school.aircraftId);
  const answers = await Promise.all(times(60, () => school.installation.call("GET", path)));
  expect(statuses(answers)).toEqual([...times(59, () => 200), 429]);
});

test("who waits gets a mail when something fits, to book it, or to ask for it where students don't", async () => {
  const school = await newMailingSchool();
  const { owner, student } = school;
  const session = await booked(owner, { ...solo(school, "2026-07-01T08:00Z"), student_ids: [] });
  const wish = {
    person_id: student.personId,
    from_at: "2026-07-01T00:00:00Z",
    until_at: "2026-07-02T00:00:00Z",
    minutes: 60,
  };
  expectStatus(201, await student.post("/planning/wishes", wish));
  expectStatus(200, await owner.post(`/planning/sessions/${session.id}/cancel`, { reason: "weather" }));
  await school.send();
  expect(school.sent()).toMatchObject([
    {
      to: student.email,
      subject: "Free: 1 July 2026, 10:00 to 11:00 (Europe/Berlin)",
      text: expect.stringContaining("It is not reserved: book it."),
    },
  ]);
  expectStatus(200, await owner.patch("/planning/settings", { students_book: false }));
  const { id } = await booked(owner, { ...solo(school, "2026-07-01T08:00Z"), student_ids: [] });
  expectStatus(200, await owner.post(`/planning/sessions/${id}/cancel`, { reason: "weather" }));
  await school.send();
  expect(school.sent().at(-1)?.text).toContain("It is not reserved: ask the school to book it.");
});

test("nobody gets a mail of a change that it would not show: a note, or the same again", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const { id, start_at, end_at } = await booked(owner, lesson(school, "2098-07-01T10:00Z"));
  const mailed = async (change: object) => {
    await installation.scheduler.runNow("mail-sending");
    installation.mails.length = 0;
    expectStatus(200, await owner.patch(`/planning/sessions/${id}`, change));
    await installation.scheduler.runNow("mail-sending");
    return installation.mails.filter(({ to }) => to === student.email).length;
  };
  expect(await mailed({ notes: "Bring the headset." })).toBe(0);
  expect(await mailed({ start_at, end_at, night: false, title: null })).toBe(0);
  expect(await mailed({ title: "Circuits" })).toBe(1);
  expect(await mailed({ end_at: "2098-07-01T11:30:00Z" })).toBe(1);
});
