import { expect, test } from "bun:test";
import ICAL from "ical.js";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
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
  // Who takes part no longer gets a cancellation.
  expectStatus(200, await owner.patch(path, { student_ids: [owner.personId] }));
  expect((await mailed()).map(({ to, subject, method }) => [to, subject.slice(0, 17), method]).sort()).toEqual([
    [owner.email, "Session changed: ", "REQUEST"],
    [student.email, "Session cancelled", "CANCEL"],
  ]);
  // What was cancelled before the mail was sent is told once.
  expectStatus(200, await owner.patch(path, { title: "Other" }));
  expectStatus(200, await owner.post(`${path}/cancel`, { reason: "weather", note: "Fog." }));
  const [last, ...rest] = await mailed();
  expect([last?.to, last?.method, rest]).toEqual([owner.email, "CANCEL", []]);
  expectStatus(200, await student.patch("/notification-preferences", { planning: false }));
  await booked(owner, solo(school, "2026-07-03T08:00Z"));
  expect(await mailed()).toEqual([]);
});

test("who waits gets a mail when something fits", async () => {
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
  expect(school.sent().map(({ to, subject }) => [to, subject])).toEqual([
    [student.email, "Free: 1 July 2026, 10:00 to 11:00 (Europe/Berlin)"],
  ]);
});
