/** A compliance pack of an earlier day has what the API said at the end of that day, whatever happened since. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { release } from "../../support/release.ts";
import { expectStatus, type Member, newOwnSchool } from "../../support/school.ts";
import { contentOf, issue, jsonIn } from "./packing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const papers = [
  ["medical", "class_1"],
  ["medical", "class_2"],
  ["licence", "lapl"],
  ["licence", "ppl"],
  ["sep", null],
  ["elp", "4"],
] as const;
const entry = fc.record({
  kind: fc.constantFrom(...papers),
  plane: fc.constantFrom(null, null, "arc", "insurance"),
  issued: fc.constantFrom(0, 1, 30, 400),
  lasts: fc.constantFrom(0, 1, 2, 31, 32, 402, 1000),
});
const step = fc.record({
  what: fc.constantFrom(
    ...(["add", "add", "add", "withdraw", "mistake", "archive", "archivePlane", "ground", "lift"] as const),
    ...(["report", "defer", "work", "work", "note", "release"] as const),
  ),
  entry,
  which: fc.nat(20),
  /** Minutes after midnight where the school is. */
  at: fc.constantFrom(0, 10, 300, 720, 1200, 1410, 1438),
});
const days = fc.array(fc.array(step, { minLength: 4, maxLength: 12 }), { minLength: 3, maxLength: 6 });
const zones = ["Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"];

const idsOf = (rows: Body[]): string[] => rows.map(({ id }) => id).sort();
const at = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];

test("a pack of each day is what the API said at its end", async () => {
  await fc.assert(
    fc.asyncProperty(days, fc.constantFrom(...zones), async (steps, time_zone) => {
      const school = await newOwnSchool({ env: { WINDSOCK_WRITE_RATE: "100000" } });
      const { installation, orgId } = school;
      const { clock, scheduler } = installation;
      expectStatus(200, await school.owner.call("PATCH", `/orgs/${orgId}`, { body: { time_zone } }));
      const first = Temporal.PlainDate.from("2026-06-16");
      const goTo = (date: Temporal.PlainDate, minutes: number) =>
        clock.set(
          date
            .toZonedDateTime({ timeZone: time_zone, plainTime: Temporal.PlainTime.from("00:00") })
            .add({ minutes })
            .toInstant()
            .toString(),
        );
      goTo(first, 0);
      let owner: Member = await school.owner.signedInAgain();
      const all = async (path: string): Promise<Body[]> => expectStatus(200, await owner.get(path)).body.data;
      for (const types of [["pilot"], ["student", "pilot"], ["instructor"]])
        expectStatus(201, await owner.post("/people", { name: types.join(" "), types, date_of_birth: "1990-03-04" }));
      expectStatus(201, await owner.post("/aircraft", { registration: "D-EFGH", model: "PA-28", class: "SEP" }));

      async function happens({ what, entry, which, at: minutes }: Body, date: Temporal.PlainDate): Promise<void> {
        goTo(date, Math.max(minutes, 1));
        owner = await owner.signedInAgain();
        const person = at(await all("/people?status=active&limit=50"), which);
        const plane = at(
          (await all("/aircraft?limit=50")).filter(({ status }) => status !== "archived"),
          which,
        );
        const record = at(await all("/compliance/records?status=current&limit=100"), which);
        const orders = (await all("/maintenance/work-orders?limit=100")).filter(({ status }) => status !== "done");
        const order = at(orders, which);
        const defect = at(
          (await all("/maintenance/defects?limit=100")).filter(({ status }) => status !== "rectified"),
          which,
        );
        const day = (plus: number) => date.add({ days: plus }).toString();
        if (what === "add") {
          const dates = { issued_on: day(-entry.issued), valid_until: day(entry.lasts - entry.issued) };
          const [type, level] = entry.kind;
          const of = entry.plane
            ? { aircraft_id: plane?.id, type: entry.plane }
            : { person_id: person?.id, type, level };
          if (entry.plane ? plane : person)
            expectStatus(201, await owner.post("/compliance/records", { ...of, ...dates }));
        }
        if ((what === "withdraw" || what === "mistake") && record)
          expectStatus(
            200,
            await owner.post(`/compliance/records/${record.id}/withdraw`, {
              reason: "Gone.",
              entered_by_mistake: what === "mistake",
            }),
          );
        if (what === "archive") {
          const someone = at(
            (await all("/people?limit=50")).filter(({ user_id }) => user_id === null),
            which,
          );
          const status = someone.status === "active" ? "archived" : "active";
          expectStatus(200, await owner.patch(`/people/${someone.id}`, { status }));
        }
        if (what === "archivePlane") {
          const one = at(await all("/aircraft?limit=50"), which);
          const answer = await owner.patch(`/aircraft/${one.id}`, {
            status: one.status === "archived" ? "available" : "archived",
          });
          if (answer.status !== 409) expectStatus(200, answer);
        }
        if (what === "ground" && plane)
          expectStatus(200, await owner.post(`/aircraft/${plane.id}/ground`, { reason: `Reason ${which}.` }));
        const byHand = plane?.groundings.find(({ kind }: Body) => kind === "by_hand");
        if (what === "lift" && byHand)
          expectStatus(200, await owner.post(`/aircraft/${plane.id}/groundings/${byHand.id}/lift`));
        if (what === "report" && plane)
          expectStatus(
            201,
            await owner.post(`/aircraft/${plane.id}/defects`, {
              description: `Crack ${which}.`,
              grounding: which % 2 === 0,
            }),
          );
        if (what === "defer" && defect)
          expectStatus(
            200,
            await owner.post(`/aircraft/${defect.aircraft_id}/defects/${defect.id}/defer`, {
              reason: `Ordered ${which}.`,
              until: day(which % 3),
            }),
          );
        if (what === "work") {
          if (order?.status === "open")
            expectStatus(200, await owner.post(`/maintenance/work-orders/${order.id}/start`));
          else if (plane)
            expectStatus(
              201,
              await owner.post("/maintenance/work-orders", { aircraft_id: plane.id, title: `Work ${which}` }),
            );
        }
        if (what === "note" && order)
          expectStatus(
            200,
            await owner.patch(`/maintenance/work-orders/${order.id}`, {
              findings: `Found ${which}.`,
              title: `Title ${minutes}`,
            }),
          );
        if (what === "release" && order?.status === "in_progress" && order.findings)
          expectStatus(200, await owner.post(`/maintenance/work-orders/${order.id}/complete`, release));
      }

      async function said() {
        const people = await all("/people?status=active&limit=50");
        const fleet = (await all("/aircraft?limit=50")).filter(({ status }) => status !== "archived");
        const evaluations = await all("/compliance/evaluations?limit=100");
        const of = (id: string) => {
          const { status, reasons } = evaluations.find((one) => one.person_id === id || one.aircraft_id === id) ?? {};
          return { status, reasons };
        };
        const records = await all("/compliance/records?limit=200");
        const suspended = records.filter(
          ({ type, status, entered_by_mistake }) => type === "medical" && status === "withdrawn" && !entered_by_mistake,
        );
        const dayOf = (instant: string) =>
          Temporal.Instant.from(instant).toZonedDateTimeISO(time_zone).toPlainDate().toString();
        const isEnded = (one: Body) =>
          one.type === "medical" &&
          suspended.some((other) => other.person.id === one.person.id && one.issued_on < dayOf(other.updated_at));
        const defects = (await all("/maintenance/defects?limit=100")).filter(({ status }) => status !== "rectified");
        const orders = await all("/maintenance/work-orders?limit=100");
        return {
          people: Object.fromEntries(people.map(({ id }) => [id, of(id)])),
          fleet: Object.fromEntries(
            fleet.map(({ id, groundings }) => [
              id,
              { ...of(id), notes: groundings.map(({ kind, note, since }: Body) => `${kind} ${note} ${since}`).sort() },
            ]),
          ),
          records: idsOf(records.filter((one) => one.status === "current" && !isEnded(one))),
          defects: Object.fromEntries(
            defects.map(({ id, deferral_reason, deferred_until, grounding }) => [
              id,
              { deferral_reason, deferred_until, grounding },
            ]),
          ),
          orders: Object.fromEntries(
            orders.map(({ id, title, findings, started_at, completed_at, release: of }) => [
              id,
              { title, findings, started_at, completed_at, release: of },
            ]),
          ),
        };
      }

      async function packed(as_of: string): Promise<Awaited<ReturnType<typeof said>>> {
        const zip = await contentOf(school, owner, (await issue(owner, { type: "compliance_pack", as_of })).id);
        const rows = (part: string): Body[] => jsonIn(zip, `${part}.json`);
        return {
          people: Object.fromEntries(rows("people").map(({ id, compliance }) => [id, compliance])),
          fleet: Object.fromEntries(
            rows("aircraft").map(({ id, compliance, groundings }) => [
              id,
              {
                ...compliance,
                notes: groundings.map(({ kind, note, since }: Body) => `${kind} ${note} ${since}`).sort(),
              },
            ]),
          ),
          records: idsOf(rows("records")),
          defects: Object.fromEntries(
            rows("defects").map(({ id, deferral_reason, deferred_until, grounding }) => [
              id,
              { deferral_reason, deferred_until, grounding },
            ]),
          ),
          orders: Object.fromEntries(
            rows("work_orders").map(({ id, title, findings, started_at, completed_at, release: of }) => [
              id,
              { title, findings, started_at, completed_at, release: of },
            ]),
          ),
        };
      }

      const known: [string, Awaited<ReturnType<typeof said>>][] = [];
      for (const [index, ofDay] of steps.entries()) {
        const date = first.add({ days: index });
        for (const one of ofDay.toSorted((a, b) => a.at - b.at)) await happens(one, date);
        goTo(date, 1439);
        owner = await owner.signedInAgain();
        for (const job of ["compliance-evaluation", "maintenance-due"]) await scheduler.runNow(job);
        known.push([date.toString(), await said()]);
      }
      for (const [date, then] of known) expect([date, await packed(date)]).toEqual([date, then]);
    }),
    // Each attempt to shrink would take seconds.
    { numRuns: 4, endOnFailure: true },
  );
}, 600_000);
