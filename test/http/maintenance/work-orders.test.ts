import { expect, test } from "bun:test";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool, type School, statuses } from "../../support/school.ts";
import { addItem, alertsOf, fly, itemOf, openOrder } from "./maintaining.ts";

const open = (school: School, body: object = {}) => openOrder(school, { findings, ...body });
const move = ({ owner }: School, { id }: { id: string }, action: string, body?: object) =>
  owner.post(`/maintenance/work-orders/${id}/${action}`, body);

test("a work order is opened, started, and completed with its release, which resets its items", async () => {
  const school = await newSchool();
  const limits = { interval_hours: "100.00", tolerance_hours: "10.00", last_done_airframe_minutes: 74_070 - 6659 };
  const item = await addItem(school, { name: "100 h", critical: true, ...limits });
  const untouched = await addItem(school, { name: "Oil", interval_hours: "50.00", last_done_airframe_minutes: 74_070 });
  await fly(school, 30, { day_landings: 3 });
  expect((await school.aircraft()).status).toBe("grounded");

  const order = await open(school, { title: "100-hour inspection", item_ids: [item.id] });
  expect(order).toMatchObject({
    status: "open",
    aircraft: { registration: "D-EABC" },
    item_ids: [item.id],
    items: [{ id: item.id, name: "100 h" }],
    parts: [],
    worked_minutes: 0,
    release: null,
    opened_by: school.owner.userId,
  });
  expect((await alertsOf(school)).at(-1)).toMatchObject({
    alert: "work_order_opened",
    aircraft: { registration: "D-EABC", status: "grounded" },
    work_order: { id: order.id, title: "100-hour inspection", status: "open" },
  });
  expect(expectStatus(200, await move(school, order, "start")).body.data.status).toBe("in_progress");
  const parts = [{ name: "Oil filter", part_number: null, quantity: "1.00" }];
  const work = { findings: "Left magneto worn.", parts, notes: "Ask for the invoice." };
  const changed = await school.owner.patch(`/maintenance/work-orders/${order.id}`, work);
  expect(expectStatus(200, changed).body.data).toMatchObject(work);
  // Oil is measured: a quantity is a decimal string, as on invoices.
  const oil = (quantity: unknown) => ({ parts: [{ name: "Oil", part_number: null, quantity }] });
  for (const quantity of [1, "1", "0.00", "100000.00"])
    expectStatus(400, await school.owner.patch(`/maintenance/work-orders/${order.id}`, oil(quantity)));
  const filled = { ...work, ...oil("6.50") };
  const measured = await school.owner.patch(`/maintenance/work-orders/${order.id}`, oil("6.50"));
  expect(expectStatus(200, measured).body.data).toMatchObject(filled);

  const done = expectStatus(200, await move(school, order, "complete", release)).body.data;
  expect(done).toMatchObject({
    status: "done",
    ...filled,
    release: {
      ...release,
      on: "2026-06-14",
      hobbs: "1234.50",
      tacho: "1100.00",
      airframe_minutes: 74_100,
      landings: 3,
    },
  });
  expect(await itemOf(school, item)).toMatchObject({
    status: "ok",
    last_done_on: "2026-06-14",
    last_done_airframe_minutes: 74_100,
    last_done_landings: 3,
    last_done_by: "Max Mechanic",
    remaining_hours: "100.00",
  });
  expect(await itemOf(school, untouched)).toMatchObject({ last_done_airframe_minutes: 74_070, last_done_on: null });
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
});

test("an illegal move is refused with the present state, and changes nothing", async () => {
  const school = await newSchool();
  const order = await open(school);
  const refused = async (action: string, state: string) => {
    const answer = await move(school, order, action, action === "complete" ? release : undefined);
    const { reason, message } = expectStatus(409, answer).body.error;
    expect([action, reason]).toEqual([action, "wrong_status"]);
    expect(message).toContain(`is ${state}`);
  };
  await refused("reopen", "open");
  await refused("complete", "open");
  await move(school, order, "start");
  await refused("start", "in_progress");
  expect((await move(school, order, "reopen")).body.data).toMatchObject({ status: "open", started_at: null });
  await move(school, order, "start");
  expectStatus(400, await move(school, order, "complete", { by: "Max" }));
  expectStatus(400, await move(school, order, "complete", { ...release, on: "2026-06-15" }));
  expectStatus(200, await move(school, order, "complete", release));
  for (const action of ["start", "reopen", "complete"]) await refused(action, "done");
  expectStatus(409, await school.owner.patch(`/maintenance/work-orders/${order.id}`, { title: "Late" }));
});

test("two mechanics complete the same work order at once: one succeeds", async () => {
  const school = await newSchool();
  const mechanics = [await school.join(["mechanic"]), await school.join(["mechanic"])];
  const item = await addItem(school, { interval_months: 12 });
  const order = await open(school, { item_ids: [item.id] });
  await move(school, order, "start");

  const answers = await Promise.all(
    mechanics.map((mechanic, at) =>
      mechanic.post(`/maintenance/work-orders/${order.id}/complete`, { ...release, by: `Mechanic ${at}` }),
    ),
  );

  expect(statuses(answers)).toEqual([200, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body.data.release.by;
  expect(await itemOf(school, item)).toMatchObject({ status: "ok", last_done_by: winner });
  const log = (await school.owner.get(`/audit-log?subject_id=${order.id}&action=work_order.completed`)).body.data;
  expect(log).toHaveLength(1);
});

test("a work order covers items of its aircraft only, and keeps the names of removed ones", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const other = { registration: "D-EFGH", model: "PA-28", class: "SEP" };
  const { id: otherId } = expectStatus(201, await owner.post("/aircraft", other)).body.data;
  const theirs = await addItem(school, { aircraft_id: otherId, interval_months: 1 });
  const ours = await addItem(school, { name: "Oil", interval_months: 1 });

  const wrong = { aircraft_id: aircraftId, title: "Work", item_ids: [ours.id, theirs.id] };
  const [issue] = expectStatus(400, await owner.post("/maintenance/work-orders", wrong)).body.issues;
  expect(issue.path).toBe("body.item_ids.1");
  const order = await open(school, { item_ids: [ours.id] });
  expectStatus(400, await owner.patch(`/maintenance/work-orders/${order.id}`, { item_ids: [theirs.id] }));
  expect(expectStatus(409, await owner.delete(`/maintenance/items/${ours.id}`)).body.error.reason).toBe(
    "item_in_work_order",
  );
  await move(school, order, "start");
  await move(school, order, "complete", release);
  expectStatus(200, await owner.delete(`/maintenance/items/${ours.id}`));
  const kept = (await owner.get(`/maintenance/work-orders/${order.id}`)).body.data;
  expect(kept.items).toEqual([{ id: ours.id, name: "Oil" }]);
});

test("a release for an earlier date leaves an item that was done later as it is", async () => {
  const school = await newSchool();
  await fly(school, 60, { off_block_at: "2026-06-05T08:00:00Z", on_block_at: "2026-06-05T09:00:00Z" });
  const item = await addItem(school, { interval_months: 12 });
  const order = await open(school, { item_ids: [item.id] });
  await move(school, order, "start");
  await school.owner.post(`/maintenance/items/${item.id}/done`, { last_done_by: "Eva", last_done_on: "2026-06-10" });
  expectStatus(200, await move(school, order, "complete", { ...release, on: "2026-06-09" }));
  expect(await itemOf(school, item)).toMatchObject({ last_done_on: "2026-06-10", last_done_by: "Eva" });
});

test("the public API lists work orders newest first, filters them, and shows no notes", async () => {
  const school = await newSchool();
  const key = await school.apiKey("public.maintenance:read");
  const first = await open(school, { title: "First", notes: "For us alone." });
  const second = await open(school, { title: "Second" });
  await move(school, first, "start");
  const ids = async (query: string) =>
    expectStatus(200, await school.publicGet(`/maintenance/work-orders${query}`, key)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  expect(await ids("")).toEqual([first.id, second.id].toSorted().reverse());
  expect(await ids("?status=in_progress")).toEqual([first.id]);
  expect(await ids(`?aircraft_id=${school.aircraftId}&status=open`)).toEqual([second.id]);
  expect(await ids("?limit=1&offset=1")).toHaveLength(1);
  const { data } = expectStatus(200, await school.publicGet(`/maintenance/work-orders/${first.id}`, key)).body;
  expect(data).toMatchObject({ id: first.id, title: "First", status: "in_progress", release: null });
  expect(data).not.toHaveProperty("notes");
});
