/** The records in a pilot's pack are those that count at the school that issues it. */
import { expect, test } from "bun:test";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, pdf } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { contentOf, filesIn, issue, jsonIn, ofPilot } from "./packing.ts";

test("without what was withdrawn, what that has ended, and the files of these", async () => {
  const school = await newTrainingSchool();
  const { owner, orgId } = school;
  const { personId: person_id } = school.student;
  await enroll(school);
  const add = async (record: object) =>
    expectStatus(201, await owner.post("/compliance/records", { person_id, ...record })).body.data.id;
  const withdraw = async (id: string, withdrawal: object) =>
    expectStatus(200, await owner.post(`/compliance/records/${id}/withdraw`, withdrawal));
  const upload = async (id: string, name: string) => {
    const path = `/orgs/${orgId}/compliance/records/${id}/attachments?filename=${name}.pdf`;
    return expectStatus(201, await owner.call("POST", path, { body: pdf() })).body.data.id;
  };
  // The suspension of a class 1 ends the class 2 of before, which has the status `current`.
  await add({ type: "medical", level: "class_2", issued_on: "2025-01-10", valid_until: "2029-01-10" });
  const first = await add({ type: "medical", level: "class_1", issued_on: "2026-01-10", valid_until: "2027-01-10" });
  await withdraw(first, { reason: "Suspended." });
  const before = await add({ type: "sep", issued_on: "2023-02-10", valid_until: "2025-02-28" });
  const after = await add({ type: "sep", issued_on: "2025-02-11", valid_until: "2027-02-28" });
  const file = await upload(after, "sep");
  const mistaken = await add({ type: "fi", number: "DE.FI.99", issued_on: "2025-02-11", valid_until: "2028-02-29" });
  await upload(mistaken, "of-ines");
  await withdraw(mistaken, { reason: "Of Ines.", entered_by_mistake: true });

  const { id } = await issue(owner, ofPilot(person_id));
  const zip = await contentOf(school, owner, id);
  const idsIn = (name: string) =>
    jsonIn(zip, name)
      .map((one: { id: string }) => one.id)
      .sort();
  expect(idsIn("records.json")).toEqual([before, after].sort());
  expect(idsIn("attachments.json")).toEqual([file]);
  const text = (await pdfText(new Uint8Array(filesIn(zip)["pack.pdf"] ?? []).buffer)).join(" ");
  expect(text).toContain("2027-02-28");
  for (const gone of ["Medical", "2029-01-10", "DE.FI.99"]) expect(text).not.toContain(gone);
});
