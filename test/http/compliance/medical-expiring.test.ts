/** `medical.expiring`: each threshold at most once, whatever days the server was down. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { MemberActor } from "../../../src/core/actor.ts";
import { days } from "../../../src/core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../src/core/dates.ts";
import { isId, type PersonId } from "../../../src/core/ids.ts";
import { events } from "../../../src/events/events.tables.ts";
import type { RecordId } from "../../../src/modules/compliance/compliance.tables.ts";
import { addRecord } from "../../../src/modules/compliance/records/add-record.ts";
import { withdrawRecord } from "../../../src/modules/compliance/records/withdraw-record.ts";
import { createPerson } from "../../../src/modules/people/create-person.ts";
import { NewPerson } from "../../../src/modules/people/people.schemas.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";

const JOB = "medical-expiry";

/** A school whose clock moves, in a time zone where the day begins twelve hours before UTC's. */
async function newYear() {
  const school = await newOwnSchool();
  const { installation } = school;
  const { orgId, owner } = school;
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Auckland" }));
  if (!isId<"organization">(orgId)) throw new Error("Not an id.");
  const tenant = installation.storage.tenants.tenant(orgId);
  const { clock } = installation;
  const actor = {
    kind: "user",
    orgId,
    userId: owner.userId,
    permissions: new Set(["people:manage", "compliance:manage", "compliance:read", "medicals:read"]),
  };
  const context = {
    actor: actor as unknown as MemberActor,
    requestId: "",
    clock,
    control: installation.storage.control,
    tenant,
  };
  return {
    ...school,
    installation,
    today: () =>
      Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
        .toZonedDateTimeISO("Pacific/Auckland")
        .toPlainDate(),
    medical: async (person: PersonId, until: Temporal.PlainDate, issued: Temporal.PlainDate, level = "class_2") =>
      (
        await addRecord(context, {
          ...{
            person_id: person,
            aircraft_id: null,
            type: "medical",
            level,
            number: null,
            issued_by: null,
            remarks: null,
            method: null,
            other_levels: [],
          },
          ...{ issued_on: toLegalDate(issued), valid_until: toLegalDate(until), supersedes: null },
        })
      ).value.id,
    newPilot: async () =>
      (await createPerson(context, NewPerson.parse({ name: "Ada Berg", types: ["pilot"] }), {})).value.id,
    withdraw: (recordId: RecordId) => withdrawRecord(context, { recordId, reason: "Lost." }),
    run: () => installation.scheduler.runNow(JOB),
    announced: async (): Promise<Notice[]> => {
      const rows = await tenant.read((reader) => reader.select().from(events).orderBy(events.id));
      return rows.filter(({ type }) => type === "medical.expiring").map(({ data }) => JSON.parse(data));
    },
  };
}

interface Notice {
  person: { id: string; name: string };
  record: { id: string; level: string; valid_until: LegalDate };
  threshold_days: number;
  days_left: number;
}

const told = ({ threshold_days, days_left }: Notice) => [threshold_days, days_left];

test("a medical is announced 60, 30 and 14 days before it expires, from midnight where the school is", async () => {
  const { installation, student, today, medical, run, announced } = await newYear();
  const { clock } = installation;
  clock.set("2026-06-14T11:59:00.000Z"); // 23:59 in Auckland
  const id = await medical(student.personId as PersonId, today().add({ days: 61 }), today());
  await run();
  expect(await announced()).toEqual([]);
  clock.advance(60_000);
  await run();
  expect(await announced()).toEqual([
    {
      person: { id: student.personId, name: expect.any(String) },
      record: { id, level: "class_2", valid_until: "2026-08-14" as LegalDate },
      threshold_days: 60,
      days_left: 60,
    },
  ]);
  for (let day = 0; day < 70; day += 1) {
    clock.advance(days(1));
    await run();
  }
  expect((await announced()).map(told)).toEqual([
    [60, 60],
    [30, 30],
    [14, 14],
  ]);
});

test("one that is entered late is announced once, for the nearest threshold, and an expired one never", async () => {
  const { student, instructor, today, medical, run, announced } = await newYear();
  await medical(student.personId as PersonId, today().add({ days: 20 }), today());
  await medical(instructor.personId as PersonId, today().subtract({ days: 1 }), today().subtract({ years: 1 }));
  await run();
  await run();
  expect((await announced()).map(told)).toEqual([[30, 20]]);
});

test("an old one that is entered after the one which replaced it is not announced", async () => {
  const { student, today, medical, run, announced } = await newYear();
  const person = student.personId as PersonId;
  await medical(person, today().add({ years: 1 }), today().subtract({ days: 1 }));
  await medical(person, today().add({ days: 20 }), today().subtract({ years: 1 }));
  await run();
  expect(await announced()).toEqual([]);
});

test("an archived person's medical is not announced", async () => {
  const { owner, newPilot, today, medical, run, announced } = await newYear();
  const person = await newPilot();
  await medical(person, today().add({ days: 20 }), today());
  expectStatus(200, await owner.patch(`/people/${person}`, { status: "archived" }));
  await run();
  expect(await announced()).toEqual([]);
});

test("each threshold at most once, the nearest of several that passed, none of a superseded or withdrawn record", async () => {
  const year = await newYear();
  const { newPilot, installation, today, medical, withdraw, run, announced } = year;
  const record = fc.record({
    /** The day of the year on which it is entered, and the day of its expiry after that. */
    entered: fc.integer({ min: 0, max: 300 }),
    validFor: fc.integer({ min: -5, max: 120 }),
    /** The day after its entry on which it ends, and how. */
    endsAfter: fc.integer({ min: 0, max: 150 }),
    ends: fc.constantFrom("superseded", "withdrawn", "not"),
  });
  const downs = fc.array(fc.record({ from: fc.integer({ min: 0, max: 365 }), for: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), downs, async (plans, down) => {
      const first = today();
      const open = await Promise.all(
        plans.map(async (plan) => {
          return {
            plan,
            person: await newPilot(),
            id: undefined as RecordId | undefined,
            passed: 60 + 1,
            isOver: false,
          };
        }),
      );
      const expected: [string, number, number][] = [];
      for (let day = 0; day <= 365; day += 1) {
        for (const each of open) {
          const { plan, person } = each;
          const until = first.add({ days: plan.entered + plan.validFor });
          if (day === plan.entered) {
            each.id = await medical(person, until, first.subtract({ years: 2 }));
            each.isOver = plan.validFor < 0;
          }
          if (each.id !== undefined && day === plan.entered + plan.endsAfter && plan.ends !== "not") {
            if (plan.ends === "withdrawn") await withdraw(each.id);
            else await medical(person, first.add({ years: 90 }), first);
            each.isOver = true;
          }
        }
        if (!down.some((off) => day >= off.from && day < off.from + off.for)) {
          await run();
          for (const each of open) {
            const left = each.plan.entered + each.plan.validFor - day;
            const crossed = [60, 30, 14].filter((threshold) => left <= threshold && threshold < each.passed);
            const nearest = crossed.at(-1);
            if (each.id === undefined || each.isOver || nearest === undefined) continue;
            expected.push([each.id, nearest, left]);
            each.passed = nearest;
          }
        }
        installation.clock.advance(days(1));
      }
      // Records of earlier runs are still announced.
      const sent = (await announced()).filter(({ record }) => open.some(({ id }) => id === record.id));
      const inOrder = (list: [string, number, number][]) => list.map((notice) => notice.join(" ")).sort();
      expect(
        inOrder(sent.map(({ record, threshold_days, days_left }) => [record.id, threshold_days, days_left])),
      ).toEqual(inOrder(expected));
    }),
    { numRuns: 6 },
  );
}, 300_000);
