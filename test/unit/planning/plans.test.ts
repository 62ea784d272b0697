/** Lists of the planning are read in the order of an index. */
import { expect, test } from "bun:test";
import type { SQLWrapper } from "drizzle-orm";
import { days, shift } from "../../../src/core/clock.ts";
import { boardOf } from "../../../src/modules/planning/board/read-board.ts";
import { bookedUseOf } from "../../../src/modules/planning/booked-use.queries.ts";
import { cancellable } from "../../../src/modules/planning/cancellations/matching.queries.ts";
import { bookable } from "../../../src/modules/planning/resources/resources.queries.ts";
import { listSessions as listPlanned } from "../../../src/modules/planning/sessions/sessions.queries.ts";
import type { SessionFilter } from "../../../src/modules/planning/sessions/sessions.schemas.ts";
import { areInOrderOfAnIndex, from, id, newStorage, owner } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("sessions of the planning are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const by: [RegExp, SessionFilter][] = [
    [/planning_sessions USING INDEX planning_sessions_start\b/, {}],
    [/planning_sessions USING INDEX planning_sessions_start \(/, { from, to: from }],
    [/planning_sessions USING INDEX planning_sessions_kind \(kind=\?/, { kind: "lesson", from }],
    [/planning_sessions USING INDEX planning_sessions_status \(status=\?/, { status: "planned", from }],
    [/planning_sessions USING INDEX planning_sessions_aircraft \(aircraft_id=\?/, { aircraft_id: id(), from }],
    [/planning_sessions USING INDEX planning_sessions_room \(room_id=\?/, { room_id: id(), from }],
    [/planning_sessions USING INDEX planning_sessions_series \(series_id=\?/, { series_id: id(), from }],
    [
      /planning_session_resources USING COVERING INDEX planning_session_resources_start \(resource_id=\?/,
      { person_id: id(), from },
    ],
  ];
  await areInOrderOfAnIndex(
    tenant,
    by.map(([access, filter]) => [
      access,
      ["start_at,id", from, id()],
      (reader, page) => listPlanned(reader, owner, { ...page, ...filter }),
    ]),
  );
});

const scansOf = (plan: readonly string[]) => plan.filter((line) => line.startsWith("SCAN "));
const to = shift(from, days(7));

test("a board finds what is on it with indexes", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) => planOf(reader, (reader) => boardOf(reader, owner, { from, to }, from)));
  for (const lookup of [
    /^SEARCH planning_session_resources USING INDEX planning_session_resources_blocking \(resource_id=\? AND start_at>\? AND start_at<\?\)/,
    /^SEARCH planning_sessions USING INDEX planning_sessions_start \(start_at>\? AND start_at<\?\)/,
    /^SEARCH planning_hours USING INDEX planning_hours_person/,
    /^SEARCH planning_absences USING INDEX planning_absences_person/,
    /^SEARCH groundings USING INDEX groundings_open/,
    /^SEARCH work_orders USING INDEX work_orders_aircraft/,
    /INDEX people_instructor/,
  ])
    expect(plan).toContainEqual(expect.stringMatching(lookup));
  // The fleet, the rooms and the rules have few rows.
  const few = /^SCAN (meta|aircraft|planning_rooms|wanted|json_each|people USING INDEX people_instructor|CONSTANT ROW)/;
  expect(scansOf(plan).filter((line) => !few.test(line))).toEqual([]);
});

test("what can be booked is read by name: instructors from their index", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) => planOf(reader, (reader) => bookable(reader, owner)));
  expect(plan.join("\n")).toMatch(/people USING INDEX people_instructor/);
  expect(plan.join("\n")).toMatch(/SEARCH compliance_records USING INDEX compliance_records_person/);
  expect(plan.join("\n")).not.toMatch(/SCAN compliance_records|people USING INDEX people_(status|name)/);
});

test("a weather day and the forecast of the maintenance search sessions in indexes", async () => {
  const { tenant } = await newStorage();
  const filter = { kinds: ["flight" as const], flown_only: true, aircraft_id: null, instructor_id: null };
  const use = await tenant.read((reader) =>
    planOf(reader, (reader) => bookedUseOf(reader, { ids: [id<"aircraft">()], now: from })),
  );
  expect(use.join("\n")).toMatch(
    /SEARCH planning_sessions USING INDEX planning_sessions_aircraft \(aircraft_id=\? AND start_at>\?/,
  );
  expect(scansOf(use).filter((line) => /planning_sessions|counter_postings/.test(line))).toEqual([]);
  const day = await tenant.read((reader) => {
    const query = cancellable(reader, { start_at: from, end_at: to }, filter) as unknown as SQLWrapper;
    return planOf(reader, (reader) => reader.values(query.getSQL()));
  });
  expect(day.join("\n")).toMatch(
    /SEARCH planning_sessions USING INDEX planning_sessions_kind \(kind=\? AND start_at>\? AND start_at<\?\)/,
  );
  // The fleet is small.
  expect(scansOf(day)).toEqual(["SCAN aircraft"]);
});
