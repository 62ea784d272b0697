/** What people hold, after random histories of records: the clearance, evaluations, the public summary and packs say the same. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { days, seconds } from "../../../src/core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../src/core/dates.ts";
import { isId } from "../../../src/core/ids.ts";
import { heldOn } from "../../../src/modules/compliance/records/held.ts";
import { holderOf } from "../../../src/modules/compliance/records/records.queries.ts";
import { asOf, holdersOn } from "../../../src/modules/compliance/records/standing.queries.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { contentOf, issue, jsonIn } from "../evidence/packing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

/** What the school requires of students. The first of each type is met by any level. */
const required: [type: string, levels: string[]][] = [
  ["medical", ["class_1", "class_2", "lapl"]],
  ["medical", ["class_2"]],
  ["medical", ["lapl"]],
  ["elp", ["4", "5"]],
  ["elp", ["5"]],
  ["ir", []],
  ["radio", []],
];
const kinds = [
  ...["class_1", "class_2", "lapl"].map((level) => ["medical", level] as const),
  ...["4", "5"].map((level) => ["elp", level] as const),
  ...[["ir", null] as const, ["radio", null] as const],
];

const PEOPLE = 3;
const entry = fc.record({
  what: fc.constant("add" as const),
  of: fc.nat(PEOPLE - 1),
  kind: fc.constantFrom(...kinds),
  /** Days ago. */
  issued: fc.constantFrom(0, 1, 2, 3, 40, 400, 800),
  lasts: fc.constantFrom(0, 1, 2, 39, 60, 366, 740, 2000),
  other: fc.option(fc.constantFrom(1, 39, 60, 740), { nil: undefined }),
  supersedes: fc.option(fc.nat(5), { nil: undefined, freq: 4 }),
});
/** A medical of class 1 that has ended, not limited: what it covers is computed. */
const ended = fc.record({
  ...{ what: fc.constant("add" as const), of: fc.nat(PEOPLE - 1), kind: fc.constant(["medical", "class_1"] as const) },
  ...{ issued: fc.constantFrom(400, 800), lasts: fc.constant(366), other: fc.constant(undefined) },
  supersedes: fc.constant(undefined),
});
const withdrawal = fc.record({
  what: fc.constant("withdraw" as const),
  of: fc.nat(PEOPLE - 1),
  which: fc.nat(5),
  entered_by_mistake: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: entry },
  { weight: 2, arbitrary: ended },
  { weight: 2, arbitrary: withdrawal },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const history = fc.array(step, { minLength: 6, maxLength: 18 });
test("the clearance, the evaluation, the public summary and the compliance pack agree on every person", async () => {
  const school = await newSchool(await newInstallation({ env: { WINDSOCK_WRITE_RATE: "100000" } }));
  const { installation, aircraftId } = school;
  const { clock } = installation;
  let owner = school.owner;
  const key = await school.apiKey("public.compliance:read");
  for (const { id } of (await owner.get("/compliance/requirements")).body.data)
    expectStatus(200, await owner.delete(`/compliance/requirements/${id}`));
  const labels = new Map<string, string>();
  const { data: types } = (await owner.get("/compliance/types?subject=person")).body;
  for (const [type, levels] of required) {
    const body = { applies_to: "student", any_of: [type], levels };
    const { id } = expectStatus(201, await owner.post("/compliance/requirements", body)).body.data;
    const { name } = types.find((one: Body) => one.key === type);
    labels.set(levels.length === 0 ? name : `${name} (${levels.join(" or ")})`, id);
  }
  const anyLevel = new Map(
    [...labels.values()].flatMap((id, index): [string, string][] => {
      const type = required[index]?.[0] ?? "";
      return required.findIndex(([first]) => first === type) === index ? [[type, id]] : [];
    }),
  );
  expectStatus(200, await owner.patch(`/people/${school.student.personId}`, { status: "archived" }));

  const dayOf = (ago: number): LegalDate =>
    toLegalDate(Temporal.PlainDate.from(clock.now().toISOString().slice(0, 10)).subtract({ days: ago }));
  const recordsOf = async (id: string): Promise<Body[]> =>
    expectStatus(200, await owner.get(`/compliance/records?person_id=${id}&limit=100`)).body.data;
  const at = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];

  async function happens(by: Member, step: Step, ids: string[]): Promise<void> {
    clock.advance(seconds(1));
    const id = ids[step.of] ?? "";
    const current = (await recordsOf(id)).filter(({ status }) => status === "current");
    if (step.what === "withdraw") {
      const record = at(current, step.which);
      const body = { reason: "Withdrawn.", entered_by_mistake: step.entered_by_mistake };
      if (record) expectStatus(200, await by.post(`/compliance/records/${record.id}/withdraw`, body));
      return;
    }
    const [type, level] = step.kind;
    const other_levels =
      level === "class_1" && step.other !== undefined
        ? [{ level: "class_2", valid_until: dayOf(step.issued - step.other) }]
        : [];
    const like = current.filter((one) => one.type === type);
    const supersedes = step.supersedes === undefined ? null : (at(like, step.supersedes)?.id ?? null);
    const dates = { issued_on: dayOf(step.issued), valid_until: dayOf(step.issued - step.lasts) };
    const body = { person_id: id, type, level, ...dates, other_levels, supersedes };
    expectStatus(201, await by.post("/compliance/records", body));
  }

  /** The states of what is required, by requirement. */
  const states = (reasons: Body[]) =>
    new Map(reasons.filter(({ state }) => state !== "expiring").map((one) => [one.requirement_id, one.state]));

  /** What was held on earlier days, as it is known now. */
  async function expectTwins(id: string): Promise<void> {
    if (!isId<"organization">(owner.orgId) || !isId<"person">(id)) throw new Error("They are ids.");
    await installation.storage.tenants.tenant(owner.orgId).read(async (reader) => {
      const all = await holderOf(reader, { person_id: id, aircraft_id: null });
      for (const ago of [0, 1, 2, 3, 39, 40, 399, 400, 799]) {
        const on = Temporal.PlainDate.from(dayOf(ago));
        const { end } = await asOf(reader, dayOf(0));
        const then = (await holdersOn(reader, "person_id", [id], { date: dayOf(ago), end })).get(id);
        for (const [type, levels] of required) {
          const needed = { any_of: [type], levels };
          const { state, record } = heldOn(then ?? { records: [] }, needed, on);
          const known = heldOn(all, needed, on);
          expect([state, record?.id]).toEqual([known.state, known.record?.id]);
        }
      }
    });
  }

  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom("1970-01-01", "1990-01-01", null), async (steps, date_of_birth) => {
      const people: string[] = [];
      for (let n = 0; n < PEOPLE; n += 1) {
        const body = { name: `Student ${n}`, types: ["student"], date_of_birth };
        people.push(expectStatus(201, await owner.post("/people", body)).body.data.id);
      }
      for (const [index, step] of steps.entries()) {
        if (index === Math.floor(steps.length / 2)) {
          clock.advance(days(1));
          owner = await owner.signedInAgain();
        }
        await happens(owner, step, people);
      }
      await installation.scheduler.runNow("compliance-evaluation");

      const pack = await contentOf(school, owner, (await issue(owner, { type: "compliance_pack" })).id);
      const packed = jsonIn(pack, "people.json");
      const packedIds = new Set(jsonIn(pack, "records.json").map(({ id }: Body) => id));
      const counted = new Map([...anyLevel.keys()].map((type) => [type, { valid: 0, expired: 0, missing: 0 }]));
      for (const id of people) {
        const [evaluation] = expectStatus(200, await owner.get(`/compliance/evaluations?person_id=${id}`)).body.data;
        const { compliance } = packed.find((one: Body) => one.id === id);
        expect(compliance).toEqual({ status: evaluation.status, reasons: evaluation.reasons });

        const question = `aircraft_id=${aircraftId}&person_id=${id}&function=dual&at=${clock.now().toISOString()}&minutes=5`;
        const { reasons } = expectStatus(200, await owner.get(`/clearance?${question}`)).body.data;
        const cleared = reasons.flatMap(({ rule, message }: Body): [string | undefined, string][] => {
          const [, said = "", label = ""] =
            /^(Missing|Expired|Withdrawn)(?: on [-\d]+)?: (.*?)\.(?: Whether .*)?$/.exec(message) ?? [];
          return rule === "required_record" ? [[labels.get(label), said === "Expired" ? "expired" : "missing"]] : [];
        });
        expect(new Map(cleared)).toEqual(states(evaluation.reasons));

        for (const { any_of, state } of evaluation.reasons) if (state === "missing") count(any_of[0], "missing");
        const held = await recordsOf(id);
        for (const [type, requirement] of anyLevel) {
          const state = states(evaluation.reasons).get(requirement);
          if (state === undefined) count(type, "valid");
          if (state === "expired") count(type, "expired");
        }
        // A medical that was withdrawn today or before, and all that were issued before that day, are none.
        const suspended = held.flatMap((one) =>
          one.type === "medical" && one.status === "withdrawn" && !one.entered_by_mistake
            ? [one.updated_at.slice(0, 10)]
            : [],
        );
        const isVoid = (one: Body) => one.type === "medical" && suspended.some((day) => one.issued_on < day);
        const standing = held.filter((one) => one.status === "current" && !isVoid(one));
        expect(held.filter((one) => packedIds.has(one.id)).map((one) => one.id)).toEqual(standing.map((one) => one.id));
      }
      function count(type: string, state: "valid" | "expired" | "missing"): void {
        const ofType = counted.get(type);
        if (ofType) ofType[state] += 1;
      }
      const summary = await installation.call("GET", "/api/v1/public/compliance", { token: key, org: owner.orgId });
      for (const row of expectStatus(200, summary).body.data) {
        const { type, valid, expiring_soon, unlimited, expired, missing } = row;
        const expected = counted.get(type);
        if (expected)
          expect({ type, valid: valid + expiring_soon + unlimited, expired, missing }).toEqual({ type, ...expected });
      }
      for (const id of people) await expectTwins(id);
      for (const id of people) expectStatus(200, await owner.patch(`/people/${id}`, { status: "archived" }));
    }),
    { numRuns: 12 },
  );
}, 300_000);
