import { expect, test } from "bun:test";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { addItem } from "../maintenance/maintaining.ts";

test("the public fleet shows each aircraft in use with its counters and its counts", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const add = async (registration: string) =>
    expectStatus(201, await owner.post("/aircraft", { registration, model: "PA-28", class: "SEP" })).body.data.id;
  const other = await add("D-EAAA");
  await owner.patch(`/aircraft/${await add("D-EZZZ")}`, { status: "archived" });
  await owner.post(`/aircraft/${other}/ground`, { reason: "Smells of fuel." });
  await addItem(school, { name: "ELT", interval_months: 60, last_done_on: "2026-06-01" });
  await addItem(school, { name: "Annual", interval_months: 12 });
  for (const moves of [[], ["start"], ["start"], ["start", "complete"]]) {
    const order = { aircraft_id: aircraftId, title: "Work", findings };
    const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
    for (const move of moves) {
      const body = move === "complete" ? release : undefined;
      expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/${move}`, body));
    }
  }

  const key = await school.apiKey("public.fleet:read");
  expect(expectStatus(200, await school.publicGet("/fleet", key)).body).toEqual({
    data: [
      {
        id: other,
        registration: "D-EAAA",
        model: "PA-28",
        icao_type: null,
        class: "SEP",
        multi_pilot: false,
        status: "grounded",
        hobbs: "0.00",
        tacho: "0.00",
        airframe_minutes: 0,
        maintenance: { overdue: 0, upcoming: 0, ok: 0 },
        work_orders: { open: 0, in_progress: 0, done: 0 },
      },
      {
        id: aircraftId,
        registration: "D-EABC",
        model: "Cessna 172S",
        icao_type: "C172",
        class: "SEP",
        multi_pilot: false,
        status: "available",
        hobbs: "1234.50",
        tacho: "1100.00",
        airframe_minutes: 74_070,
        maintenance: { overdue: 1, upcoming: 0, ok: 1 },
        work_orders: { open: 1, in_progress: 2, done: 1 },
      },
    ],
  });
  expectStatus(400, await school.publicGet("/fleet?limit=5", key));
});
