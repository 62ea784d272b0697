/** Mails are in the language of the account, or else of the person, or else of the school. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { booked, solo } from "../planning/booking.ts";
import { newMailingSchool } from "./mailing.ts";

const setLanguage = async (member: Member, language: string) =>
  expectStatus(200, await member.call("PATCH", "/auth/me", { body: { language } }));

test("a record that expires is told to each recipient in their language", async () => {
  const { owner, student, record, announce, send, sent } = await newMailingSchool();
  await setLanguage(student, "de");
  await record(student.personId, 30);
  await announce();
  await send();
  const mails = sent();
  const [toStudent, toOwner] = [student, owner].map(({ email }) => mails.find(({ to }) => to === email));
  expect(toStudent?.subject).toBe("Ihr Tauglichkeitszeugnis (Klasse 2) läuft am 14. Juli 2026 ab");
  expect(toStudent?.text).toStartWith(
    `${toStudent?.subject}, in 30 Tagen.\n\nSie erhalten diese E-Mail als Mitglied von`,
  );
  expect(toOwner?.subject).toBe("Sam Student: medical certificate (class 2) expires on 14 July 2026");
  await setLanguage(owner, "de");
  await record(student.personId, 20, "sep");
  await announce();
  await send();
  expect(sent().find(({ to }) => to === owner.email)?.subject).toBe(
    "Sam Student: Nachweis „Klassenberechtigung SEP“ läuft am 4. Juli 2026 ab",
  );
});

test("the last day of a record is called today, and the day after it has expired", async () => {
  const { owner, student, installation, record, announce, send, sent } = await newMailingSchool();
  await setLanguage(student, "de");
  const mailed = async () => {
    await announce();
    await send();
    return Object.fromEntries(sent().map(({ to, text }) => [to, text.split("\n", 1)[0]]));
  };
  await record(student.personId, 1);
  expect(await mailed()).toMatchObject({
    [owner.email]: "The medical certificate (class 2) of Sam Student expires on 15 June 2026, in 1 day.",
    [student.email]: "Ihr Tauglichkeitszeugnis (Klasse 2) läuft am 15. Juni 2026 ab, in 1 Tag.",
  });
  await record(student.personId, 0, "sep");
  expect(await mailed()).toMatchObject({
    [owner.email]: 'The record "Class rating SEP" of Sam Student expires on 14 June 2026, today.',
    [student.email]: "Ihr Nachweis „Klassenberechtigung SEP“ läuft am 14. Juni 2026 ab, heute.",
  });
  installation.clock.advance(days(1));
  expect(await mailed()).toMatchObject({
    [owner.email]: 'The record "Class rating SEP" of Sam Student expired on 14 June 2026.',
  });
});

test("without an account it is the person's language, or else the school's", async () => {
  const { owner, record, announce, send, sent } = await newMailingSchool();
  const add = async (more: object) =>
    expectStatus(201, await owner.post("/people", { types: ["pilot"], ...more })).body.data;
  const ada = await add({ name: "Ada", email: "ada@pilots.example" });
  const eve = await add({ name: "Eve", email: "eve@pilots.example", language: "en" });
  expect([ada.language, eve.language]).toEqual([null, "en"]);
  expectStatus(200, await owner.patch("/finance/settings", { language: "de" }));
  for (const { id } of [ada, eve]) await record(id, 14);
  await announce();
  await send();
  const subjects = new Map(sent().map(({ to, subject }) => [to, subject]));
  expect(subjects.get(ada.email)).toStartWith("Ihr Tauglichkeitszeugnis (Klasse 2) läuft am ");
  expect(subjects.get(eve.email)).toStartWith("Your medical certificate (class 2) expires on ");
  expectStatus(400, await owner.patch(`/people/${ada.id}`, { language: "fr" }));
});

test("a booking is told in the recipient's language, in the part for calendars too", async () => {
  const school = await newMailingSchool();
  const { owner, student } = school;
  await setLanguage(student, "de");
  const { id } = await booked(owner, solo(school, "2026-07-01T08:00Z"));
  await school.send();
  const [mail] = school.sent();
  expect(mail?.subject).toBe("Termin gebucht: 1. Juli 2026, 10:00 bis 11:00 (Europe/Berlin)");
  expect(mail?.text).toContain("Flug: D-EABC, Sam Student");
  expect(mail?.calendar?.content).toContain("SUMMARY:Flug: D-EABC");
  const cancelled = await owner.post(`/planning/sessions/${id}/cancel`, { reason: "weather", note: "Nebel" });
  expectStatus(200, cancelled);
  await school.send();
  const [second] = school.sent();
  expect(second?.subject).toStartWith("Termin abgesagt: ");
  expect(second?.text).toContain("Grund: Nebel");
});

test("an aircraft is grounded in German", async () => {
  const { owner, aircraftId, send, sent } = await newMailingSchool();
  await setLanguage(owner, "de");
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Bugrad" }));
  await send();
  expect(sent()[0]).toMatchObject({
    subject: "D-EABC: Das Luftfahrzeug ist gesperrt",
    text: expect.stringContaining("- Bugrad"),
  });
});
