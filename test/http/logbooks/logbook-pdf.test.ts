/** Logs as PDF: what can be read in the file. */
import { expect, test } from "bun:test";
import { pdfItems, pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member, newSchool, type School, times } from "../../support/school.ts";
import { addAircraft, daily, type Flown, importFlights } from "./logging.ts";

async function download({ installation, orgId }: School, by: Member, path: string) {
  const headers = { authorization: `Bearer ${by.token}`, accept: "application/pdf" };
  const answer = await installation.app.fetch(new Request(`http://localhost/orgs/${orgId}${path}`, { headers }));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return { bytes: await answer.arrayBuffer(), file: answer.headers.get("content-disposition") };
}

/** The text of each page, and the name of the file. */
async function pdfOf(school: School, by: Member, path: string) {
  const { bytes, file } = await download(school, by, path);
  return { pages: await pdfText(bytes), file };
}

/** The words of the logbook's first row, from the left. */
async function firstRow(school: School, by: Member): Promise<string[]> {
  const { bytes } = await download(school, by, `/people/${by.personId}/logbook`);
  const items = (await pdfItems(new Uint8Array(bytes))).filter(({ y }) => y > 86 && y < 106);
  const texts = items.toSorted((one, other) => one.x - other.x).map(({ text }) => text);
  return texts.join(" ").split(/\s+/);
}

const hours = (minutes: number) => `${Math.trunc(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;

test("an empty logbook is one page with the holder's name", async () => {
  const school = await newSchool();
  const { pages, file } = await pdfOf(school, school.student, `/people/${school.student.personId}/logbook`);
  expect(file).toBe('attachment; filename="people-logbook.pdf"');
  const [page = "", ...others] = pages;
  expect(others).toEqual([]);
  for (const words of ["Sam Student", "Page 1 of 1", "Total to date", "Signature"]) expect(page).toContain(words);
});

test("logs are in the language of the person, or else of the account", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const flight = await school.submitFlight(student, { blockMinutes: 62, body: { nature: "ferry" } });
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
  const [logbook, journey] = [`/people/${student.personId}/logbook`, `/aircraft/${aircraftId}/journey-log`];
  const page = async (by: Member, path: string) => (await pdfOf(school, by, path)).pages[0] ?? "";
  const german = async (member: Member) =>
    expectStatus(200, await member.call("PATCH", "/auth/me", { body: { language: "de" } }));
  for (const words of ["Pilot logbook", "All flights. Times and dates are in UTC."])
    expect(await page(student, logbook)).toContain(words);
  const period = "?from=2026-06-01T00:00:00Z&to=2026-07-01T00:00:00Z";
  expect(await page(student, logbook + period)).toContain("Flights from 2026-06-01 00:00 and before 2026-07-01 00:00.");

  await german(student);
  for (const by of [student, owner])
    for (const words of [
      "Flugbuch",
      "Alle Flüge. Zeiten und Daten in UTC.",
      "Seite 1 von 1",
      "Übertrag",
      "Landungen",
      "Unterschrift des Piloten",
    ])
      expect(await page(by, logbook)).toContain(words);
  expect(await page(student, logbook + period)).toContain("Flüge ab 01.06.2026 00:00 und vor 01.07.2026 00:00.");
  expect(await page(owner, journey)).toContain("Remarks to the workshop");
  await german(owner);
  for (const words of ["Bordbuch", "Besatzung", "14.06.2026", "Überführung", "Gesamtsumme", "Alleinflug: Sam Student"])
    expect(await page(owner, journey)).toContain(words);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { language: "en" }));
  expect(await page(student, logbook)).toContain("Total this page");
});

test("each page of a logbook carries the totals on, and names have all their letters", async () => {
  const school = await newSchool();
  const { student, owner } = school;
  const name = "Łucja Weiß-Papadopoulou Παπαδοπούλου";
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { name, licence_number: "PL.FCL.4711" }));
  const flights = daily(45, student.email);
  await importFlights(school, flights);
  const opening = { total_minutes: 6_000, as_of: "2019-12-31" };
  expectStatus(200, await student.patch(`/people/${student.personId}/logbook/opening-totals`, opening));
  const remarks = `Long ${"remark ".repeat(200)}`;
  const last = await school.submitFlight(student, { blockMinutes: 62, body: { remarks } });
  expectStatus(200, await owner.post(`/flights/${last.id}/approve`));

  const { pages } = await pdfOf(school, student, `/people/${student.personId}/logbook`);
  expect(pages).toHaveLength(3);
  const minutes = [...flights.map((flight) => flight.minutes), 62];
  const sum = (from: number, to: number) => minutes.slice(from, to).reduce((all, one) => all + one, 0);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`${name}, licence PL.FCL.4711`);
    expect(page).toContain(`Page ${index + 1} of 3`);
    const foot = page.slice(page.indexOf("Total this page"));
    const before = 6_000 + sum(0, index * 20);
    const here = sum(index * 20, (index + 1) * 20);
    const [, thisPage = "", forward = "", toDate = ""] = foot.split(/Total this page|Brought forward|Total to date/);
    expect(thisPage.split(/\s+/)).toContain(hours(here));
    expect(forward.split(/\s+/)).toContain(hours(before));
    expect(toDate.split(/\s+/)).toContain(hours(before + here));
  }
  expect(pages[2]).toContain("Long remark");
  expect(pages[2]).toContain("…");
  expect(pages[2]?.match(/remark/g)?.length).toBeLessThan(20);
});

test.each([
  ["pic", { pic: 1 }, [], ["SELF", "1:02"], []],
  ["solo", { solo: 1 }, [], ["SELF", "solo", "1:02"], []],
  ["spic", { spic: 1, instructor: 0 }, [], ["Ines Instructor", "SPIC", "1:02"], ["Instructor:"]],
  ["picus", { picus: 1, pic: 0 }, ["1:02"], ["Ines Instructor", "PICUS", "1:02"], ["PIC:"]],
  ["co_pilot", { co_pilot: 1, pic: 0 }, ["1:02"], ["Ines Instructor", "1:02"], []],
  ["dual", { dual: 1, instructor: 0 }, [], ["Ines Instructor", "1:02"], []],
])("the row of %s has its mark, and the line of who countersigns", async (_, functions, multi, held, signs) => {
  const school = await newSchool();
  const { student, instructor } = school;
  const mails = [instructor.email, student.email];
  const crew = Object.fromEntries(Object.entries(functions).map(([name, at]) => [name, mails[at] ?? ""]));
  await importFlights(school, [{ registration: "D-EABC", off_block_at: "2025-05-01T08:00:00Z", minutes: 62, crew }]);
  const flown = ["2025-05-01", "EDFE", "08:00", "EDKB", "09:02", "Cessna 172S", "D-EABC"];
  const single = multi.length > 0 ? multi : ["1:02"];
  expect(sorted(await firstRow(school, student))).toEqual(sorted([...flown, ...single, "1:02", ...held, ...signs]));
  // Who supervised has neither.
  for (const mark of ["SPIC", "PICUS", ...signs]) expect(await firstRow(school, instructor)).not.toContain(mark);
});

const sorted = (texts: readonly string[]) => texts.join(" ").split(" ").toSorted();

test("the row that is countersigned keeps its remarks", async () => {
  const school = await newSchool();
  const { student, instructor, owner } = school;
  const crew = [
    { person_id: student.personId, function: "spic" },
    { person_id: instructor.personId, function: "instructor" },
  ];
  const remarks = "Navigation to the north, and back along the river.";
  const { id } = await school.submitFlight(student, { body: { crew, remarks } });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  const row = await firstRow(school, student);
  expect(row.join(" ")).toMatch(/Navigation to the north.*…/);
  expect(row).toContain("Instructor:");
});

test("the words of the marks are explained, and the holder's address is on each page", async () => {
  const school = await newSchool();
  const { student } = school;
  await importFlights(school, daily(21, student.email));
  const read = async () => (await pdfOf(school, student, `/people/${student.personId}/logbook`)).pages;
  for (const page of await read())
    for (const words of [
      "Address: ____",
      "SPIC (student pilot-in-command)",
      "PICUS (pilot-in-command under supervision)",
    ])
      expect(page).toContain(words);
  const change = async (address: object) =>
    expectStatus(200, await school.owner.patch(`/people/${student.personId}`, address));
  await change({ city: "Egelsbach" });
  expect((await read())[0]).toContain("Egelsbach");
  await change({ street: "c/o Aeroclub\nAm Flugplatz 1", postcode: "63329", country: "DE" });
  const pages = await read();
  expect(pages).toHaveLength(2);
  for (const page of pages) {
    expect(page).toContain("c/o Aeroclub Am Flugplatz 1, 63329 Egelsbach, DE");
    expect(page).not.toContain("Address:");
  }
});

test("a session is in the columns of the simulator, with its type and the number of its qualification", async () => {
  const school = await newSchool();
  const { student, instructor, owner } = school;
  const aircraft_id = await addAircraft(school, "FNPT-1", "FSTD");
  const session = (crew: Record<string, string>): Flown => ({
    ...{ registration: "FNPT-1", nature: "simulator", off_block_at: "2025-05-01T08:00:00Z", minutes: 62, crew },
  });
  await importFlights(school, [session({ dual: student.email, instructor: instructor.email })]);
  const rows = (mark: string, number: string) => sorted(["2025-05-01", "Model FSTD", number, "1:02", mark]);
  expect(sorted(await firstRow(school, student))).toEqual(rows("dual", "FNPT-1"));
  const record = { aircraft_id, type: "fstd_qualification", issued_on: "2025-01-10", valid_until: "2026-01-10" };
  expectStatus(201, await owner.post("/compliance/records", { ...record, number: "DE-1A-042" }));
  expect(sorted(await firstRow(school, student))).toEqual(rows("dual", "DE-1A-042"));
  expect(sorted(await firstRow(school, instructor))).toEqual(rows("instructor", "DE-1A-042"));
});

test("a journey log as PDF has the crew, the defects and the airframe's time", async () => {
  const school = await newSchool();
  const { owner, student, instructor, aircraftId } = school;
  const crew = { instructor: instructor.email, dual: student.email };
  const lesson = { registration: "D-EABC", off_block_at: "2024-01-01T08:00:00Z", minutes: 60, crew };
  await importFlights(school, [lesson, ...daily(20, student.email)]);
  const flight = await school.submitFlight(student, { blockMinutes: 62 });
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
  const defect = { flight_id: flight.id, description: "Flat tyre.", grounding: false };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
  const { pages, file } = await pdfOf(school, owner, `/aircraft/${aircraftId}/journey-log`);
  expect(file).toBe('attachment; filename="aircraft-journey-log.pdf"');
  expect(pages).toHaveLength(2);
  const ofLesson = "dual: Sam Student\ninstructor: Ines Instructor";
  for (const words of ["D-EABC", ofLesson, "solo: Sam Student", "Defect: Flat tyre.", hours(74_132)])
    expect(pages[1]).toContain(words);
  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { language: "de" } }));
  const german = (await pdfOf(school, owner, `/aircraft/${aircraftId}/journey-log`)).pages[1];
  for (const words of ["Hinweise an die Technik, Beanstandungen", "Beanstandung: Flat tyre."])
    expect(german).toContain(words);
});

test("a client gets PDF only if it names it", async () => {
  const { student } = await newSchool();
  const typeFor = async (accept: string) => {
    const path = `/orgs/${student.orgId}/people/${student.personId}/logbook`;
    return (await student.call("GET", path, { headers: { accept } })).headers.get("content-type");
  };
  for (const accept of ["application/pdf", "application/pdf, */*;q=0.1", "text/csv;q=0.5, Application/PDF"])
    expect([accept, await typeFor(accept)]).toEqual([accept, "application/pdf"]);
  for (const accept of ["*/*", "application/*", "application/json, application/pdf;q=0.5", "application/pdf;q=0"])
    expect([accept, await typeFor(accept)]).toEqual([accept, "application/json;charset=utf-8"]);
  expect(await typeFor("text/csv, application/pdf;q=0.5")).toBe("text/csv;charset=utf-8");
});

test("a member who is removed while a long logbook is made gets no more of it", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await importFlights(school, daily(60, student.email));
  const admin = await school.join(["admin"], "Removed soon");
  const request = new Request(`http://localhost/orgs/${school.orgId}/people/${student.personId}/logbook`, {
    headers: { authorization: `Bearer ${admin.token}`, accept: "application/pdf" },
  });
  const reader = (await school.installation.app.fetch(request)).body?.getReader();
  expect((await reader?.read())?.value).toBeInstanceOf(Uint8Array);
  expectStatus(200, await owner.delete(`/members/${admin.userId}`));
  const rest = async () => {
    for (const _ of times(1_000, () => 0)) if ((await reader?.read())?.done) return;
  };
  await expect(rest()).rejects.toThrow();
});
