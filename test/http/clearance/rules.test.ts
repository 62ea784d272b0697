/** What a school does about each rule. */
import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";

test("the rules have the default actions until the school sets others; each change is in the audit log", async () => {
  const { owner, student, aircraftId } = await newSchool();
  const born = await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-01-01" });
  expectStatus(200, born);
  const listed = async () => expectStatus(200, await owner.get("/clearance/rules")).body.data;
  const ruleOf = async (key: string) => expectStatus(200, await owner.get(`/clearance/rules/${key}`)).body.data;
  for (const rule of await listed()) expect(await ruleOf(rule.key)).toEqual(rule);
  expect(await ruleOf("medical_expired")).toEqual({
    ...{ key: "medical_expired", title: "The medical certificate has not expired, and was not withdrawn" },
    ...{ action: "block", default_action: "block" },
    source: { article: "MED.A.030", regulation: "(EU) 2019/27", effective_from: "2019-01-30" },
  });
  expect(await ruleOf("aircraft_grounded")).toMatchObject({ action: "block", source: null });

  const decision = async () => {
    const query = `aircraft_id=${aircraftId}&person_id=${student.personId}&function=solo&at=2026-06-15T08:00:00Z`;
    const { data } = expectStatus(200, await owner.get(`/clearance?${query}`)).body;
    return [data.decision, ...data.reasons.map(({ rule, action }: Record<string, string>) => `${action} ${rule}`)];
  };
  const set = async (rule: string, action: string) =>
    expectStatus(200, await owner.patch(`/clearance/rules/${rule}`, { action })).body.data;
  await set("aircraft_record", "off");
  expect(await set("solo_medical", "block")).toMatchObject({ action: "block", default_action: "block" });
  expect(await decision()).toEqual(["block", "block solo_medical"]);
  expect(await set("solo_medical", "warn")).toMatchObject({ action: "warn", default_action: "block" });
  expect(await ruleOf("solo_medical")).toMatchObject({ action: "warn", default_action: "block" });
  expect(await decision()).toEqual(["warn", "warn solo_medical"]);
  await set("solo_medical", "off");
  expect(await decision()).toEqual(["clear"]);
  await set("solo_medical", "block");
  expect(await decision()).toEqual(["block", "block solo_medical"]);

  const { data } = expectStatus(200, await owner.get("/audit-log?action=clearance_rule.updated&limit=1")).body;
  expect(data).toMatchObject([
    {
      subject: { kind: "clearance_rule", id: "solo_medical" },
      before: { action: "off" },
      after: { action: "block" },
    },
  ]);
});

test("only members who manage the clearance set actions, of rules that exist", async () => {
  const { owner, instructor, student } = await newSchool();
  expectStatus(200, await student.get("/clearance/rules"));
  expectStatus(200, await student.get("/clearance/rules/rating"));
  expectStatus(404, await owner.get("/clearance/rules/moon_phase"));
  expectStatus(403, await instructor.patch("/clearance/rules/rating", { action: "off" }));
  expectStatus(404, await owner.patch("/clearance/rules/moon_phase", { action: "off" }));
  expectStatus(400, await owner.patch("/clearance/rules/rating", { action: "ignore" }));
});
