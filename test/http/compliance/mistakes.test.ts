/** A record that was entered by mistake never counted: what it had superseded counts again. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";

interface Entry {
  id: string;
  status: string;
  superseded_by: string | null;
}
const records = "/compliance/records";
const add = async (by: Member, record: object): Promise<Entry> =>
  expectStatus(201, await by.post(records, record)).body.data;
const found = async (by: Member, { id }: Entry): Promise<Entry> =>
  expectStatus(200, await by.get(`${records}/${id}`)).body.data;
const withdraw = async (by: Member, { id }: Entry, entered_by_mistake: boolean) =>
  expectStatus(200, await by.post(`${records}/${id}/withdraw`, { reason: "Typed wrong.", entered_by_mistake }));

test("the newest of each type and level that it had superseded is current again, with an event and in the audit log", async () => {
  const { owner, student } = await newSchool();
  const elp = (level: string, issued_on: string, more = {}) =>
    add(owner, {
      ...{ person_id: student.personId, type: "elp", level, issued_on, valid_until: "2029-01-01" },
      ...more,
    });
  const four = await elp("4", "2024-01-01");
  const five = await elp("5", "2024-02-01");
  const mistake = await elp("5", "2026-02-01", { supersedes: four.id });
  const late = await elp("5", "2025-03-01");
  expect(late).toMatchObject({ status: "superseded", superseded_by: mistake.id });
  await withdraw(owner, mistake, true);
  expect(await found(owner, four)).toMatchObject({ status: "current", superseded_by: null });
  expect(await found(owner, late)).toMatchObject({ status: "current", superseded_by: null });
  expect(await found(owner, five)).toMatchObject({ status: "superseded", superseded_by: late.id });
  const { data } = expectStatus(200, await owner.get(`/audit-log?subject_id=${late.id}`)).body;
  expect(data.map(({ action }: { action: string }) => action)).toContain("compliance_record.restored");
});

test("of two that were issued on one day, the one that was entered last is current again", async () => {
  const { owner, student, installation } = await newOwnSchool();
  const sep = (issued_on: string) =>
    add(owner, { person_id: student.personId, type: "sep", issued_on, valid_until: "2028-03-31" });
  const mistake = await sep("2026-03-01");
  const late: Entry[] = [];
  for (const issued_on of ["2025-03-01", "2025-03-01"]) {
    installation.clock.advance(1);
    late.push(await sep(issued_on));
  }
  expect(late).toMatchObject([{ superseded_by: mistake.id }, { superseded_by: mistake.id }]);
  await withdraw(owner, mistake, true);
  const [first, last] = late as [Entry, Entry];
  expect(await found(owner, last)).toMatchObject({ status: "current", superseded_by: null });
  expect(await found(owner, first)).toMatchObject({ status: "superseded", superseded_by: last.id });
});

test("what was superseded by a record that was suspended does not count again", async () => {
  const { owner, student } = await newSchool();
  const fi = { person_id: student.personId, type: "fi", valid_until: "2028-01-31" };
  const before = await add(owner, { ...fi, issued_on: "2025-01-01" });
  await withdraw(owner, await add(owner, { ...fi, issued_on: "2026-01-01" }), false);
  expect(await found(owner, before)).toMatchObject({ status: "superseded" });
});

test("a record that counts again is superseded by a newer one of its level that was entered meanwhile", async () => {
  const { owner, student } = await newSchool();
  const elp = { person_id: student.personId, type: "elp", valid_until: "2029-01-01" };
  const four = await add(owner, { ...elp, level: "4", issued_on: "2024-01-01" });
  const five = await add(owner, { ...elp, level: "5", issued_on: "2024-02-01", supersedes: four.id });
  const newer = await add(owner, { ...elp, level: "4", issued_on: "2025-01-01" });
  await withdraw(owner, five, true);
  expect(await found(owner, four)).toMatchObject({ status: "superseded", superseded_by: newer.id });
  expect(await found(owner, newer)).toMatchObject({ status: "current" });
});

test("it has the notices of its expiry that were still to come, and none twice", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const key = await school.apiKey("public.events:read");
  const thresholds = async () => {
    await installation.scheduler.runNow("medical-expiry");
    const path = "/api/v1/public/events?type=medical.expiring";
    const { data } = expectStatus(200, await installation.call("GET", path, { token: key, org: owner.orgId })).body;
    return data.map(({ data: event }: { data: { threshold_days: number } }) => event.threshold_days).reverse();
  };
  const medical = { person_id: student.personId, type: "medical", level: "lapl" };
  await add(owner, { ...medical, issued_on: "2025-01-01", valid_until: "2026-07-20" }); // in 36 days
  expect(await thresholds()).toEqual([60]);
  const mistake = await add(owner, { ...medical, issued_on: "2026-06-14", valid_until: "2030-01-01" });
  installation.clock.advance(days(5));
  const later = await owner.signedInAgain();
  await withdraw(later, mistake, true);
  expect(await thresholds()).toEqual([60]);
  installation.clock.advance(days(1)); // 20 June: 30 days before
  expect(await thresholds()).toEqual([60, 30]);
});

test("notices that fell due while it was superseded are given, only the nearest", async () => {
  const school = await newOwnSchool();
  const { owner, student, installation } = school;
  const key = await school.apiKey("public.events:read");
  const medical = { person_id: student.personId, type: "medical", level: "lapl" };
  await add(owner, { ...medical, issued_on: "2025-01-01", valid_until: "2026-07-20" });
  const mistake = await add(owner, { ...medical, issued_on: "2026-06-14", valid_until: "2030-01-01" });
  installation.clock.advance(days(25));
  const later = await owner.signedInAgain();
  await withdraw(later, mistake, true);
  await installation.scheduler.runNow("medical-expiry");
  const path = "/api/v1/public/events?type=medical.expiring";
  const { data } = expectStatus(200, await installation.call("GET", path, { token: key, org: owner.orgId })).body;
  expect(data).toMatchObject([{ data: { threshold_days: 14, days_left: 11 } }]);
});
