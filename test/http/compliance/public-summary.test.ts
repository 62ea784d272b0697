/** `GET /api/v1/public/compliance`: counts by type, on the date where the school is. */
import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool } from "../../support/school.ts";

const path = "/api/v1/public/compliance";

/** A school of which a key reads the summary. */
async function newReader() {
  const school = await newOwnSchool();
  const { installation } = school;
  const token = await school.apiKey("public.compliance:read");
  const get = (query = "") => installation.call("GET", `${path}${query}`, { token, org: school.orgId });
  const countsOf = async (key: string, query = "") => {
    const { data } = expectStatus(200, await get(query)).body;
    const { type: _, subject: __, ...counts } = data.find(({ type }: { type: string }) => type === key);
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
  };
  const pilot = async () =>
    expectStatus(201, await school.owner.post("/people", { name: "Ada Berg", types: ["pilot"] })).body.data.id;
  const add = async (record: object) => expectStatus(201, await school.owner.post("/compliance/records", record));
  return { ...school, installation, token, get, of: countsOf, pilot, add };
}

test("counts the record that counts of each person: valid, expiring soon, expired, unlimited, missing", async () => {
  const { of: countsOf, pilot, add, owner, get } = await newReader();
  const before = await countsOf("licence");
  const radio = (person_id: string, valid_until: string | null, issued_on = "2025-01-01") =>
    add({ person_id, type: "radio", issued_on, valid_until });
  const [ada, ben, cay, dan, eva, fay] = [
    await pilot(),
    await pilot(),
    await pilot(),
    await pilot(),
    await pilot(),
    await pilot(),
  ];
  await radio(ada, "2026-06-13");
  await radio(ben, "2026-06-14"); // today
  await radio(cay, "2026-07-14");
  await radio(dan, "2026-07-15");
  await radio(eva, null);
  // The newest counts, and an archived person not at all.
  await radio(eva, "2020-01-01", "2019-01-01");
  await radio(fay, "2027-01-01");
  expectStatus(200, await owner.patch(`/people/${fay}`, { status: "archived" }));
  expect(await countsOf("radio")).toMatchObject({ expired: 1, expiring_soon: 2, valid: 1, unlimited: 1 });
  expect(await countsOf("radio", "?soon_days=0")).toMatchObject({
    expired: 1,
    expiring_soon: 1,
    valid: 2,
    unlimited: 1,
  });
  expect(await countsOf("radio", "?soon_days=365")).toMatchObject({ expired: 1, expiring_soon: 3, unlimited: 1 });
  expect((await countsOf("licence")).missing).toBe(Number(before.missing ?? 0) + 5);
  expect((await get("?soon_days=366")).status).toBe(400);
});

test("counts a medical of class 1 that has ended by the classes that it still covers, and a withdrawn one not at all", async () => {
  const { of: countsOf, pilot, add, owner } = await newReader();
  const before = await countsOf("medical");
  const [ada, ben] = [await pilot(), await pilot()];
  const medical = (person_id: string, level: string, issued_on: string, valid_until: string, more = {}) =>
    add({ ...{ person_id, type: "medical", level, issued_on, valid_until }, ...more });
  const other_levels = [{ level: "class_2", valid_until: "2030-01-01" }];
  await medical(ada, "class_1", "2025-01-01", "2026-01-01", { other_levels });
  expect(await countsOf("medical")).toMatchObject({ valid: 1, missing: Number(before.missing ?? 0) + 1 });
  await medical(ben, "lapl", "2025-01-01", "2029-01-01");
  const suspended = (await medical(ben, "class_2", "2026-01-01", "2029-01-01")).body.data.id;
  expect(await countsOf("medical")).toEqual({ ...before, valid: 2 });
  expectStatus(200, await owner.post(`/compliance/records/${suspended}/withdraw`, { reason: "Suspended." }));
  expect(await countsOf("medical")).toEqual({ valid: 1, missing: Number(before.missing ?? 0) + 1 });
});

test("the holder of an LAPL lacks no class rating", async () => {
  const { of: countsOf, pilot, add, owner } = await newReader();
  const before = await countsOf("sep");
  const person_id = await pilot();
  expect(await countsOf("sep")).toEqual({ missing: Number(before.missing ?? 0) + 1 });
  await add({ person_id, type: "licence", level: "lapl", issued_on: "2025-01-01", valid_until: null });
  expect(await countsOf("sep")).toEqual(before);
  const { data } = expectStatus(200, await owner.get(`/compliance/evaluations?person_id=${person_id}`)).body;
  expect(data[0].reasons.map(({ any_of }: { any_of: string[] }) => any_of[0])).toEqual(["medical", "elp"]);
});

test("changes at midnight where the school is, also for a body in the cache", async () => {
  const { installation, of: countsOf, pilot, add } = await newReader();
  await add({ person_id: await pilot(), type: "ir", issued_on: "2025-06-15", valid_until: "2026-06-14" });
  installation.clock.set("2026-06-14T21:59:00.000Z");
  expect(await countsOf("ir")).toEqual({ expiring_soon: 1 });
  installation.clock.advance(60_000);
  expect(await countsOf("ir")).toEqual({ expired: 1 });
});

test("requires the scope, and has no names", async () => {
  const { installation, school, get } = await newReader().then((reader) => ({ ...reader, school: reader }));
  const other = await school.apiKey("public.fleet:read");
  expect((await installation.call("GET", path, { token: other, org: school.orgId })).status).toBe(403);
  const { data } = expectStatus(200, await get()).body;
  expect(data.map(({ type }: { type: string }) => type)).toEqual(data.map(({ type }: { type: string }) => type).sort());
  expect(JSON.stringify(data)).not.toContain("Berg");
});
