/** The PDF of an organization's state, as an inspector reads it: the approval, the programmes, each student, each aircraft. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { release } from "../../support/release.ts";
import { expectStatus, type Member, type School } from "../../support/school.ts";
import { addItem, openOrder } from "../maintenance/maintaining.ts";
import { enroll, fly, newTrainingSchool, small } from "../training/school.ts";
import { contentOf, filesIn, issue } from "./packing.ts";

/** Longer than the title of a work order. */
const longDefect =
  "Left brake drags after it was released, most of all on the taxiway from the hangar to runway 25, where the pedal stays down for a second.";
const secret = "Gets tense in crosswind.";

async function pagesOf(school: School, by: Member, as_of: string): Promise<string[]> {
  const pack = await issue(by, { type: "compliance_pack", as_of });
  const content = filesIn(await contentOf(school, by, pack.id))["pack.pdf"] ?? new Uint8Array();
  return (await pdfText(new Uint8Array(content).buffer)).map((page) => page.replaceAll(/\s+/gu, " "));
}

test("an inspector reads the approval, the programmes, hours and grades of each student, releases and what is due of each aircraft", async () => {
  const installation = await newInstallation();
  const first = await newTrainingSchool(small, installation);
  const enrollment_id = await enroll(first);
  installation.clock.advance(days(1));
  const school = {
    ...first,
    ...{ owner: await first.owner.signedInAgain(), instructor: await first.instructor.signedInAgain() },
  };
  const { owner, instructor, aircraftId } = school;
  expectStatus(200, await owner.patch("", { approval_number: "DE.ATO.123", authority: "Luftfahrt-Bundesamt" }));
  const fi = { type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14", person_id: instructor.personId };
  expectStatus(201, await owner.post("/compliance/records", fi));
  const flight_id = await fly(school, { lesson: "1", minutes: 75 });
  const lesson = school.revision.lesson("1");
  const grades = lesson.items.map(({ id }: { id: string }) => ({ item_id: id, grade: "ok" }));
  const texts = { remarks: "Good circuits.", instructor_notes: secret };
  const record = { enrollment_id, lesson_id: lesson.id, flight_id, grades, ...texts };
  expectStatus(201, await instructor.post("/training/lesson-records", record));
  // Begun after the day of the other pack.
  const other = expectStatus(201, await owner.post("/people", { name: "Ada Later", types: ["student"] })).body.data;
  const later = { student_id: other.id, revision_id: school.revision.id, started_on: "2026-06-15" };
  expectStatus(201, await owner.post("/training/enrollments", later));
  const interval = { interval_hours: "100.00", interval_months: 12 };
  const check = await addItem(school, { name: "100-hour check", ...interval, last_done_on: "2026-06-01" });
  await addItem(school, { name: "Belts", interval_months: 24, last_done_on: "2026-06-01" });
  const { id } = await openOrder(school, { title: "Check", item_ids: [check.id], findings: "Brake lining worn." });
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/complete`, release));
  const defect = { description: longDefect, grounding: false };
  const { work_order_id } = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body.data;
  expectStatus(200, await owner.post(`/maintenance/work-orders/${work_order_id}/start`));
  const findings = { findings: "Caliper cleaned." };
  expectStatus(200, await owner.patch(`/maintenance/work-orders/${work_order_id}`, findings));
  expectStatus(200, await owner.post(`/maintenance/work-orders/${work_order_id}/complete`, release));
  const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2026-01-01", valid_until: "2026-12-31" };
  expectStatus(201, await owner.post("/compliance/records", arc));
  const light = { description: "Landing light out.", grounding: false };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, light));

  const pages = await pagesOf(school, owner, "2026-06-15");
  const all = pages.join(" ");
  const [cover = "", overview = ""] = pages;
  expect(pages.map((page) => /Page \d+ of \d+/u.exec(page)?.[0])).toEqual(
    pages.map((_, at) => `Page ${at + 1} of ${pages.length}`),
  );
  for (const words of [
    "Organisation, programmes and students, from page 2",
    "Training files of the students, from page 3",
  ])
    expect(cover).toContain(words);
  const ofSam = pages.findIndex((page) => page.startsWith("Training file Sam Student"));
  for (const words of [
    "DE.ATO.123",
    "Small PPL(A) 1 2020-04-08 FCL.210.A 2",
    `Sam Student Small In training 2026-01-15 1:15 1:15 0:00 2 / 5 ${ofSam + 1}`,
    "Ada Later",
  ])
    expect(overview).toContain(words);
  for (const words of ["1 Circuits", "ok: As required", "Remarks: Good circuits.", "Signed 2026-06-15"])
    expect(all).toContain(words);
  const fleet = pages.slice(pages.findIndex((page) => page.startsWith("Aircraft: releases"))).join(" ");
  for (const words of [
    "D-EABC · Cessna 172S · SEP",
    "Airworthiness review certificate 2026-01-01 2026-12-31",
    "100-hour check 100 h, 12 months 2026-06-15 2027-06-15, Airframe 1,335.75 h 100.00 h in order",
    "Belts 24 months 2026-06-01 2028-06-01 in order",
    "Check · 100-hour check · Brake lining worn. · Cessna 172S AMM",
    `${longDefect} · Caliper cleaned. · Cessna 172S AMM`,
    "Max Mechanic, DE.66.4711 CAO DE.CAO.0123",
    "Landing light out.",
  ])
    expect(fleet).toContain(words);
  expect(fleet.split("Left brake drags")).toHaveLength(2);
  for (const words of [secret, "Defect: "]) expect(all).not.toContain(words);

  const before = (await pagesOf(school, owner, "2026-06-14")).join(" ");
  expect(before).toContain("Sam Student");
  for (const words of ["Ada Later", "DE.66.4711", "Landing light out.", "Left brake"])
    expect(before).not.toContain(words);
  expect(before).toContain("of an earlier day it is not known");
});

test("the programmes are those of the day: one that was retired later, and who was trained by it then", async () => {
  const installation = await newInstallation();
  const first = await newTrainingSchool(small, installation);
  const enrollment = await enroll(first);
  installation.clock.advance(days(2));
  const owner = await first.owner.signedInAgain();
  const gone = { reason: "Moved." };
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment}/withdraw`, gone));
  expectStatus(200, await owner.post(`${first.revision.path}/retire`));
  const [, then = ""] = await pagesOf(first, owner, "2026-06-15");
  expect(then).toContain("Small PPL(A) 1 2020-04-08 FCL.210.A 1 Students");
  const [, now = ""] = await pagesOf(first, owner, "2026-06-16");
  expect(now).not.toContain("Small PPL(A)");
});
