import type { AircraftId, EnrollmentId, FlightId } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import { occasion, question } from "../../storage/occasions.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";
import type { FlightFigures } from "./flight-rules.ts";
import type { FlightRow } from "./flights.queries.ts";
import type { FlightContent } from "./flights.schemas.ts";

/** By its approval; or taken back, by its reversal. */
export const flightPosted = occasion<{ flight: FlightRow; by: By }>("a flight was posted to the counters", [
  "maintenance",
]);

/** It was moved from one status to another. What shows whether it counts changes with it. */
export const flightMoved = occasion<{ id: FlightId }>("a flight has a new status", ["training"]);

/** `currency`: of its charges; undefined if flights are not charged, because the operator disabled `finance`. */
export const afterApproval = occasion<{ flight: FlightRow; by: By; currency: string | undefined }>(
  "a flight was approved",
  ["finance", "planning"],
);

/** It was never submitted, and is removed. */
export const draftRemoved = occasion<{ id: FlightId }>("a draft is removed", ["finance"]);

/** What names a flight proves that it took place. */
export const isOnRecord = question<{ id: FlightId }, boolean>("does a record name the flight?", [
  "maintenance",
  "training",
]);

export const afterReversal = occasion<{ id: FlightId; by: By }>("a flight was reversed", ["finance"]);

/** A flight that was made, before its figures are posted: they count as its own. */
export type FlownFlight = FlightFigures & { aircraft_id: AircraftId; crew: readonly CrewMember[] } & Pick<
    FlightRow,
    "id" | "nature" | "enrollment_id"
  >;

export const findingsAbout = question<FlownFlight, readonly FlightFinding[]>("may the flight have been made?", [
  "clearance",
]);

export interface Lesson extends Pick<FlightContent, "lesson_id" | "crew" | "nature" | "off_block_at"> {
  /** The flight before the change. It keeps its enrollment if lesson and student stay, also if that has ended since. */
  before?: { lesson_id: FlightContent["lesson_id"]; enrollment_id: EnrollmentId | null };
  /** Otherwise the student may follow. */
  isComplete: boolean;
}

/**
 * The enrollment whose training a flight counts for: that of a student on board in the revision of its lesson. The answer throws
 * VALIDATION_ERROR: there is no such lesson, it is not flown, no student on board was enrolled in its revision, or a complete
 * flight is of another kind than the lesson.
 */
export const enrollmentOf = question<Lesson, EnrollmentId | null>("which training does a flight count for?", [
  "training",
]);
