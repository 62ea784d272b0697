import { entityOf } from "../../../storage/entity-of.ts";
import { descending, listOf } from "../../../storage/page.ts";
import { trainingGroundSessions as table } from "../training.tables.ts";
import { groundSession } from "./ground-sessions.schemas.ts";

/** Its reads do not check the actor. */
export const groundSessionEntity = entityOf("ground_session", {
  table,
  shape: groundSession,
  path: { enrollmentId: table.enrollment_id, groundSessionId: table.id },
});

/** Returns JSON text, the newest entry first. */
export const listGroundSessions = listOf(groundSession, { from: table, orderBy: descending(groundSession, "id") });
