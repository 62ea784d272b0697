/** Logs as PDF: what can be read in the file. */
import { expect, test } from "bun:test";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member, newSchool, type School, times } from "../../support/school.ts";
import { daily, importFlights } from "./logging.ts";

/** The text of each page, and the name of the file. */
async function pdfOf({ installation, orgId }: School, by: Member, path: string) {
  const headers = { authorization: `Bearer ${by.token}`, accept: "application/pdf" };
  const answer = await installation.app.fetch(new Request(`http://localhost/orgs/${orgId}${path}`, { headers }));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return { pages: await pdfText(await answer.arrayBuffer()), file: answer.headers.get("content-disposition") };
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

test("a journey log as PDF has the crew, the defects and the airframe's time", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  await importFlights(school, daily(20, student.email));
  const flight = await school.submitFlight(student, { blockMinutes: 62 });
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`));
  const defect = { flight_id: flight.id, description: "Flat tyre.", grounding: false };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
  const { pages, file } = await pdfOf(school, owner, `/aircraft/${aircraftId}/journey-log`);
  expect(file).toBe('attachment; filename="aircraft-journey-log.pdf"');
  expect(pages).toHaveLength(2);
  for (const words of ["D-EABC", "solo: Sam Student", "Defect: Flat tyre.", hours(74_132)])
    expect(pages[1]).toContain(words);
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
