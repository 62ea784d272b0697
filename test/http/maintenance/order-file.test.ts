/** A work order as a PDF file: what an authority asks for. */
import { expect, test } from "bun:test";
import { pdfText } from "../../support/pdf-text.ts";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { download } from "../evidence/packing.ts";
import { addItem } from "./maintaining.ts";

const grown = { hobbs: "1300.50", airframe_minutes: 74_070, landings: 4180, reason: "Taken over." };

test("a work order is downloaded as a PDF file, which certifies nothing before the release and all of it afterwards", async () => {
  const school = await newSchool();
  const { owner, student, installation, aircraftId, join } = school;
  const item = await addItem(school, { name: "100 h inspection", interval_hours: "100.00" });
  const parts = [
    { name: "Starter", part_number: "149-12LS", serial_number: "S-4711", batch_number: null, quantity: "1.00" },
  ];
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "Left brake drags." });
  const { work_order_id: id } = expectStatus(201, reported).body.data;
  const path = `/maintenance/work-orders/${id}`;
  const mechanic = await join(["mechanic"], "Mia Mechanic");
  const hours = [
    { person_id: mechanic.personId, worked_on: "2026-06-13", minutes: 95 },
    { worked_by: "Lena Fuchs", worked_on: "2026-06-14", minutes: 120 },
  ];
  const work = { item_ids: [item.id], findings, parts, notes: "Ask for the invoice.", hours };
  const { number } = expectStatus(200, await owner.patch(path, work)).body.data;
  const pages = async () => pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
  const words = async () => (await pages()).join("\n").replaceAll(/\s+/g, " ");

  const before = await words();
  expect(before).toContain("Not released to service. This is no certificate.");
  expect(before).not.toContain("Certifies that");
  expect(before).toContain("Serial number not recorded");
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { serial_number: "172S10482", counters: grown }));
  expectStatus(200, await owner.post(`${path}/start`));
  expectStatus(200, await owner.post(`${path}/complete`, release));

  const after = await words();
  expect(after).toContain("Certifies that the work specified");
  for (const said of ["D-EABC", "100 h inspection", "Left brake drags.", findings, "149-12LS", "S-4711"])
    expect(after).toContain(said);
  // The certificate identifies its work order and the aircraft, and says who worked how long.
  for (const said of [`Work order ${number} and`, `Number ${number}`, "Cessna 172S", "Serial number 172S10482"])
    expect(after).toContain(said);
  for (const [at, page] of (await pages()).entries()) expect(page).toContain(`Page ${at + 1} of `);
  expect(after).toContain("Aircraft D-EABC, Cessna 172S, Serial number 172S10482");
  for (const said of ["Mia Mechanic 2026-06-13 1:35", "Lena Fuchs 2026-06-14 2:00", "Together 3:35"])
    expect(after).toContain(said);
  for (const said of ["Airframe hours 1,234:30", "Hobbs 1,300.50", "Tacho 1,100.00", "Landings 4,180"])
    expect(after).toContain(said);
  for (const said of [release.licence_number, release.maintenance_data]) expect(after).toContain(said);
  expect(after).not.toContain("Ask for the invoice.");

  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { language: "de" } }));
  const german = await words();
  for (const said of ["Hiermit wird bescheinigt", "Werknummer 172S10482", "Mia Mechanic 13.06.2026 1:35", "1.234:30"])
    expect(german).toContain(said);
  expect((await download(installation, mechanic, `${path}/file`)).status).toBe(200);
  expect((await download(installation, student, `${path}/file`)).status).toBe(403);
});

test("a certificate lists what was done: the items, the defects as they were reported, and the findings", async () => {
  const school = await newSchool();
  const { owner, installation, aircraftId } = school;
  const item = await addItem(school, { name: "100 h inspection", interval_hours: "100.00" });
  const description = `Left brake ${"drags and ".repeat(20)}smells.`;
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description });
  const path = `/maintenance/work-orders/${expectStatus(201, reported).body.data.work_order_id}`;
  const certificate = async () => {
    const pages = await pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
    const [, text] = pages.join(" ").replaceAll(/\s+/g, " ").split(" (ML.A.801) ");
    return text;
  };
  expectStatus(200, await owner.patch(path, { item_ids: [item.id], findings }));
  expectStatus(200, await owner.post(`${path}/start`));
  expectStatus(200, await owner.post(`${path}/complete`, release));
  expect(await certificate()).toContain(
    `Work carried out – 100 h inspection – Defect rectified: ${description} – ${findings} Certified by`,
  );
  const language = { body: { language: "de" } };
  expectStatus(200, await owner.call("PATCH", "/auth/me", language));
  expect(await certificate()).toContain(`– Beanstandung behoben: ${description} – ${findings} Freigegeben von`);
});

test("a certificate of long work goes on over pages, and its signature stays with who certifies it", async () => {
  const { owner, installation, aircraftId } = await newSchool();
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "Brake drags.\n".repeat(150) });
  const path = `/maintenance/work-orders/${expectStatus(201, reported).body.data.work_order_id}`;
  expectStatus(200, await owner.patch(path, { findings }));
  expectStatus(200, await owner.post(`${path}/start`));
  expectStatus(200, await owner.post(`${path}/complete`, release));
  const pages = await pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
  expect(pages.length).toBeLessThan(7);
  expect(pages.at(-1)).toContain("Certified by");
  expect(pages.at(-1)).toContain("Signature");
});

test("a pilot-owner certifies limited maintenance only, and an instrument that the aircraft lacks is left out", async () => {
  const { owner, installation, aircraftId } = await newSchool();
  const counters = { tacho: "0.00", reason: "It has none." };
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "A tyre is worn." });
  const path = `/maintenance/work-orders/${expectStatus(201, reported).body.data.work_order_id}`;
  expectStatus(200, await owner.patch(path, { findings }));
  expectStatus(200, await owner.post(`${path}/start`));
  const approval = { kind: "pilot_owner", reference: null };
  expectStatus(200, await owner.post(`${path}/complete`, { ...release, approval }));
  const pages = await pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
  const words = pages.join("\n").replaceAll(/\s+/g, " ");
  expect(words).toContain("Certifies that the limited pilot-owner maintenance specified");
  expect(words).toContain("Hobbs");
  expect(words).not.toContain("Tacho");
});
