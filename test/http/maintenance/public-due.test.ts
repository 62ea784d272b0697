import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";
import { addItem, fly } from "./maintaining.ts";

test("the public list counts the items of each aircraft and names what is next", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const key = await school.apiKey("public.maintenance:read");
  const add = async (registration: string) =>
    expectStatus(201, await owner.post("/aircraft", { registration, model: "PA-28", class: "SEP" })).body.data.id;
  const other = await add("D-EAAA");
  const gone = await add("D-EZZZ");
  await owner.patch(`/aircraft/${gone}`, { status: "archived" });
  await addItem(school, { name: "ELT", interval_months: 60, last_done_on: "2026-06-01" });
  await addItem(school, { name: "Annual", interval_months: 12, last_done_on: "2025-06-20" });
  await addItem(school, { name: "Oil", interval_hours: "50.00", last_done_airframe_minutes: 74_070 - 2500 });
  const list = async (query = "") => expectStatus(200, await school.publicGet(`/maintenance/due${query}`, key)).body;

  const aircraft = { id: aircraftId, registration: "D-EABC", model: "Cessna 172S" };
  expect(await list()).toEqual({
    data: [
      { aircraft: { id: other, registration: "D-EAAA", model: "PA-28" }, overdue: 0, upcoming: 0, ok: 0, next: null },
      {
        aircraft,
        overdue: 0,
        upcoming: 2,
        ok: 1,
        next: { name: "Annual", due_on: "2026-06-20", remaining_hours: null },
      },
    ],
  });
  await fly(school, 510);
  expect(await list(`?aircraft_id=${aircraftId}`)).toEqual({
    data: [{ aircraft, overdue: 1, upcoming: 1, ok: 1, next: { name: "Oil", due_on: null, remaining_hours: "-0.17" } }],
  });
  expect(await list(`?aircraft_id=${gone}`)).toEqual({ data: [] });
  expectStatus(400, await school.publicGet("/maintenance/due?limit=5", key));
});
