/** A booking as the rules see it. */

import type { Instant } from "../../../core/clock.ts";
import type { Clash } from "../../../core/errors.ts";
import type { AircraftId, LessonId, PersonId } from "../../../core/ids.ts";
import type { PlanningSessionId, ResourceType, RoomId, SessionKind } from "../planning.tables.ts";

export interface Booking {
  /** Of a session that exists: it does not clash with itself. */
  id?: PlanningSessionId;
  kind: SessionKind;
  start_at: Instant;
  end_at: Instant;
  aircraft_id: AircraftId | null;
  instructor_id: PersonId | null;
  room_id: RoomId | null;
  student_ids: readonly PersonId[];
  lesson_id: LessonId | null;
  night: boolean;
}

export interface Resource {
  type: ResourceType;
  id: string;
  /** For messages. */
  name: string;
}

/** A rule that is not met, and what the school does about that. */
export interface Finding extends Clash {
  action: "block" | "warn";
  /** What it says instead to members who may not see what is missing about a person. */
  to_others?: Pick<Clash, "rule" | "message"> | undefined;
}

/** For what is found about a person's licences, ratings, medical, experience, training or account. */
export const notClear = { rule: "person", message: "The person is not clear to fly." };

/** Half-open: what ends when the other begins does not overlap it. */
export interface Interval {
  start_at: Instant;
  end_at: Instant;
}

/** Returns the finding of a rule about the whole booking. */
export const found = (
  { start_at, end_at }: Interval,
  rule: Pick<Finding, "rule" | "action" | "message" | "to_others"> & { resource?: Resource },
): Finding => ({
  ...rule,
  resource: rule.resource ? { type: rule.resource.type, id: rule.resource.id } : null,
  session_id: null,
  start_at,
  end_at,
});
