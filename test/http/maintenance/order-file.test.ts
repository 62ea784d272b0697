/** A work order as a PDF file: what an authority asks for. */
import { expect, test } from "bun:test";
import { pdfText } from "../../support/pdf-text.ts";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { download } from "../evidence/packing.ts";
import { addItem } from "./maintaining.ts";

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
  const work = { item_ids: [item.id], findings, parts, notes: "Ask for the invoice.", worked_minutes: 95 };
  expectStatus(200, await owner.patch(path, work));
  const pages = async () => pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
  const words = async () => (await pages()).join("\n").replaceAll(/\s+/g, " ");

  const before = await words();
  expect(before).toContain("Not released to service. This is no certificate.");
  expect(before).not.toContain("Certifies that");
  expectStatus(200, await owner.post(`${path}/start`));
  expectStatus(200, await owner.post(`${path}/complete`, release));

  const after = await words();
  expect(after).toContain("Certifies that the work specified");
  for (const said of ["D-EABC", "100 h inspection", "Left brake drags.", findings, "149-12LS", "S-4711", "1:35"])
    expect(after).toContain(said);
  for (const said of [release.licence_number, release.maintenance_data]) expect(after).toContain(said);
  expect(after).not.toContain("Ask for the invoice.");

  expectStatus(200, await owner.call("PATCH", "/auth/me", { body: { language: "de" } }));
  expect(await words()).toContain("Hiermit wird bescheinigt");
  const mechanic = await join(["mechanic"], "Mia Mechanic");
  expect((await download(installation, mechanic, `${path}/file`)).status).toBe(200);
  expect((await download(installation, student, `${path}/file`)).status).toBe(403);
});

test("a pilot-owner certifies limited maintenance only", async () => {
  const { owner, installation, aircraftId } = await newSchool();
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "A tyre is worn." });
  const path = `/maintenance/work-orders/${expectStatus(201, reported).body.data.work_order_id}`;
  expectStatus(200, await owner.patch(path, { findings }));
  expectStatus(200, await owner.post(`${path}/start`));
  const approval = { kind: "pilot_owner", reference: null };
  expectStatus(200, await owner.post(`${path}/complete`, { ...release, approval }));
  const pages = await pdfText(await (await download(installation, owner, `${path}/file`)).arrayBuffer());
  expect(pages.join("\n").replaceAll(/\s+/g, " ")).toContain(
    "Certifies that the limited pilot-owner maintenance specified",
  );
});
