/** Who worked on a work order and how long, and its number. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { release } from "../../support/release.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { download } from "../evidence/packing.ts";
import { openOrder as open } from "./maintaining.ts";

const path = ({ id }: { id: string }) => `/maintenance/work-orders/${id}`;

test("hours say who worked on which day and how long, and their sum follows", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"], "Mia Mechanic");
  const hours = [
    { person_id: mechanic.personId, worked_by: null, worked_on: "2026-06-12", minutes: 90 },
    { person_id: null, worked_by: "Lena Fuchs", worked_on: "2026-06-11", minutes: 45 },
  ];
  const order = await open(school, { hours });
  const [mias, lenas] = hours;
  expect(order).toMatchObject({
    worked_minutes: 135,
    // In the order in which they were entered.
    hours: [
      { ...mias, person_name: "Mia Mechanic" },
      { ...lenas, person_name: null },
    ],
  });

  const left = expectStatus(200, await mechanic.patch(path(order), { hours: [lenas] })).body.data;
  expect(left).toMatchObject({ worked_minutes: 45, hours: [lenas] });
  // Another change leaves them.
  expectStatus(200, await mechanic.patch(path(order), { title: "Brakes", findings: "Worn." }));
  const [audited] = (await school.owner.get(`/audit-log?subject_id=${order.id}&action=work_order.updated`)).body.data;
  expect(audited.after.hours).toEqual(left.hours);

  await mechanic.post(`${path(order)}/start`);
  expectStatus(200, await mechanic.post(`${path(order)}/complete`, release));
  expect(expectStatus(409, await mechanic.patch(path(order), { hours: [] })).body.error.reason).toBe("wrong_status");
  expect((await mechanic.get(path(order))).body.data.worked_minutes).toBe(45);
});

test("who worked need not be kept: minutes are entered alone, and never beside hours that they contradict", async () => {
  const school = await newSchool();
  const order = await open(school, { worked_minutes: 480 });
  expect(order).toMatchObject({ worked_minutes: 480, hours: [] });
  const change = (fields: object) => school.owner.patch(path(order), fields);
  const left = async (fields: object) => expectStatus(200, await change(fields)).body.data;
  expect(await left({ worked_minutes: 300 })).toMatchObject({ worked_minutes: 300, hours: [] });
  const hours = [{ worked_by: "Lena Fuchs", worked_on: "2026-06-14", minutes: 60 }];
  const issues = [{ path: "body.worked_minutes", code: "not_both" }];
  for (const fields of [
    { hours, worked_minutes: 61 },
    { hours, worked_minutes: 0 },
  ])
    expect(expectStatus(400, await change(fields)).body.issues).toMatchObject(issues);
  expect(await left({ hours })).toMatchObject({ worked_minutes: 60 });
  expect(expectStatus(400, await change({ worked_minutes: 61 })).body.issues).toMatchObject(issues);
  expect(await left({ worked_minutes: 60, title: "Brakes" })).toMatchObject({ worked_minutes: 60 });
  expect(await left({ hours: [] })).toMatchObject({ worked_minutes: 0, hours: [] });
  const both = { aircraft_id: school.aircraftId, title: "Brakes", hours, worked_minutes: 61 };
  expect(expectStatus(400, await school.owner.post("/maintenance/work-orders", both)).body.issues).toMatchObject(
    issues,
  );
});

test("hours without a name, with two, of nobody, of tomorrow, or of more than a day are refused where they are wrong", async () => {
  const school = await newSchool();
  const order = await open(school);
  const fine = { worked_by: "Lena Fuchs", worked_on: "2026-06-14", minutes: 60 };
  const refused = async (wrong: object) =>
    expectStatus(400, await school.owner.patch(path(order), { hours: [fine, { ...fine, ...wrong }] })).body.issues.map(
      ({ path, code }: { path: string; code: string }) => [path, code],
    );
  const stranger = order.id;
  expect(await refused({ worked_by: null })).toEqual([["body.hours.1", "one_needed"]]);
  expect(await refused({ person_id: stranger })).toEqual([["body.hours.1", "not_both"]]);
  expect(await refused({ worked_by: null, person_id: stranger })).toEqual([["body.hours.1.person_id", "unknown"]]);
  expect(await refused({ worked_on: "2026-06-15" })).toEqual([["body.hours.1.worked_on", "in_future"]]);
  for (const minutes of [0, 1441]) expect((await refused({ minutes }))[0][0]).toBe("body.hours.1.minutes");
  expect((await school.owner.get(path(order))).body.data.hours).toEqual([]);
});

test("a person's hours are in their export, and stay in the aircraft's records without their name", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = expectStatus(201, await owner.post("/people", { name: "Karl Kolben", types: ["mechanic"] })).body.data;
  const hours = [
    { person_id: id, worked_on: "2026-06-13", minutes: 30 },
    { worked_by: "Karl Kolben", worked_on: "2026-06-14", minutes: 20 },
  ];
  const order = await open(school, { hours });
  const answer = await download(school.installation, owner, `/people/${id}/export`);
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const { maintenance_hours } = JSON.parse(Buffer.from(files["person.json"] ?? []).toString());
  expect(maintenance_hours).toMatchObject([
    { work_order_id: order.id, number: order.number, person_id: id, worked_on: "2026-06-13", minutes: 30 },
  ]);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const { data } = (await owner.get(path(order))).body;
  expect(data).toMatchObject({ worked_minutes: 50, hours: [{ person_id: id, minutes: 30 }, { minutes: 20 }] });
  expect(JSON.stringify(data.hours)).not.toContain("Kolben");
});

test("work orders are numbered by the school's year without gaps, and found by their number", async () => {
  const numbers = async (school: Pick<School, "owner" | "aircraftId">, count: number) => {
    const made: string[] = [];
    for (let n = 0; n < count; n++) made.push((await open(school)).number);
    return made;
  };
  const school = await newOwnSchool();
  expect(await numbers(school, 2)).toEqual(["2026-001", "2026-002"]);
  const defect = { description: "Left brake drags." };
  const { work_order_id } = expectStatus(201, await school.owner.post(`/aircraft/${school.aircraftId}/defects`, defect))
    .body.data;
  expect((await school.owner.get(path({ id: work_order_id }))).body.data.number).toBe("2026-003");
  // A new year in Berlin, and not yet by UTC.
  school.installation.clock.set("2026-12-31T23:30:00.000Z");
  const later = { ...school, owner: await school.owner.signedInAgain() };
  expect(await numbers(later, 1)).toEqual(["2027-001"]);
  const found = expectStatus(200, await later.owner.get("/search?q=2027-001")).body.data;
  expect(found).toMatchObject([{ kind: "work_order", number: "2027-001" }]);
});

test("orders that are opened at once have different numbers", async () => {
  const school = await newSchool();
  const orders = await Promise.all(Array.from({ length: 5 }, () => open(school)));
  expect(orders.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5].map((number) => `2026-00${number}`));
});
