/** Lists of the planning are read in the order of an index. */
import { test } from "bun:test";
import { listSessions as listPlanned } from "../../../src/modules/planning/sessions/sessions.queries.ts";
import type { SessionFilter } from "../../../src/modules/planning/sessions/sessions.schemas.ts";
import { areInOrderOfAnIndex, from, id, newStorage, owner } from "../../support/list-plans.ts";

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
