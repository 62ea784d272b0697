import { expect, test } from "bun:test";
import { builtInTypes } from "../../../src/modules/compliance/built-in-types.ts";
import { expectStatus, newSchool } from "../../support/school.ts";

const types = "/compliance/types";

test("a new school has the built-in types", async () => {
  const { owner } = await newSchool();
  const { data } = expectStatus(200, await owner.get(types)).body;
  const shown = data.map(
    ({ key, name, subject, levels, validity_months, built_in, ...more }: Record<string, unknown>) => ({
      ...{ key, name, subject, levels, validity_months, built_in, valid_until_required: more.valid_until_required },
    }),
  );
  const byKey = [...builtInTypes].sort((one, other) => (one.key < other.key ? -1 : 1));
  expect(shown).toEqual(byKey.map((type) => ({ ...type, built_in: true })));
});

test("of a built-in type only the days of warning can change", async () => {
  const { owner } = await newSchool();
  const { data } = (await owner.get(`${types}?subject=aircraft`)).body;
  const { id } = data.find(({ key }: { key: string }) => key === "arc");
  expect(expectStatus(200, await owner.patch(`${types}/${id}`, { warning_days: 90 })).body.data.warning_days).toBe(90);
  for (const change of [{ name: "Other" }, { levels: ["a"] }, { warning_days: 1, validity_months: 1 }])
    expect(expectStatus(409, await owner.patch(`${types}/${id}`, change)).body.error.reason).toBe("type_built_in");
  expectStatus(409, await owner.delete(`${types}/${id}`));
});

test("a school's own type can be changed, and removed until it has a record", async () => {
  const { owner, student } = await newSchool();
  const type = { key: "club_check", name: "Club check", subject: "person", levels: ["day", "night"] };
  const { id } = expectStatus(201, await owner.post(types, type)).body.data;
  expectStatus(200, await owner.patch(`${types}/${id}`, { name: "Check flight", levels: ["day"] }));
  expectStatus(409, await owner.post(types, type));
  const record = { person_id: student.personId, type: "club_check", level: "day", issued_on: "2025-03-14" };
  expectStatus(400, await owner.post("/compliance/records", { ...record, level: "night" }));
  expectStatus(201, await owner.post("/compliance/records", record));
  expect(expectStatus(409, await owner.delete(`${types}/${id}`)).body.error.reason).toBe("type_in_use");

  const other = expectStatus(201, await owner.post(types, { ...type, key: "other" })).body.data;
  expectStatus(200, await owner.delete(`${types}/${other.id}`));
  expectStatus(404, await owner.get(`${types}/${other.id}`));
});

test("a school's own type says whether its records need an expiry", async () => {
  const { owner, student } = await newSchool();
  const record = { person_id: student.personId, type: "first_aid", issued_on: "2025-03-14" };
  const type = { key: "first_aid", name: "First aid", subject: "person" };
  const { id, valid_until_required } = expectStatus(201, await owner.post(types, type)).body.data;
  expect(valid_until_required).toBe(false);
  const unlimited = expectStatus(201, await owner.post("/compliance/records", record)).body.data;
  expectStatus(200, await owner.patch(`${types}/${id}`, { valid_until_required: true }));
  expect(expectStatus(400, await owner.post("/compliance/records", record)).body.issues).toMatchObject([
    { path: "body.valid_until", code: "required" },
  ]);
  // The record from before stays as it is.
  expect((await owner.get(`/compliance/records/${unlimited.id}`)).body.data).toMatchObject({
    ...{ status: "current", valid_until: null },
  });
});

test("a type that a requirement names is kept until no requirement names it", async () => {
  const { owner } = await newSchool();
  const type = { key: "briefing", name: "Safety briefing", subject: "person" };
  const { id } = expectStatus(201, await owner.post(types, type)).body.data;
  const required = { applies_to: "student", any_of: ["briefing"] };
  const requirement = expectStatus(201, await owner.post("/compliance/requirements", required)).body.data;
  expect(expectStatus(409, await owner.delete(`${types}/${id}`)).body.error.reason).toBe("type_in_use");
  expectStatus(200, await owner.delete(`/compliance/requirements/${requirement.id}`));
  expectStatus(200, await owner.delete(`${types}/${id}`));
});
