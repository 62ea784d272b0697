import type { Instant } from "./clock.ts";
import type { LegalDate } from "./dates.ts";
import type { AircraftId, EnrollmentId, FlightId, Id, PersonId } from "./ids.ts";

/** Paths of fields that are missing or can't be as they are: `seller.street`. */
interface Fields {
  fields: readonly string[];
}

/** What was recorded of a person's training, and how often. */
interface Recorded {
  kind: string;
  count: number;
}

/** Of an evidence pack. */
interface PackTraining {
  enrollment_id: EnrollmentId;
  kind: string;
}

/**
 * What the errors of some reasons tell programs besides: fields of `error`. What a message names and the request did not is here too,
 * so that a client can say it in another language.
 */
export interface ReasonFields {
  // Access
  /** Since when, and when the organization will be removed with its records, if it will. */
  organization_suspended: { suspended_at: Instant; removal_at?: Instant };

  // States and revisions
  /** The present status, and those in which it could be done. `on`: the only day. */
  wrong_status: { status: string; allowed?: readonly string[]; on?: LegalDate };
  revision_changed: { revision: number };
  person_erased: { erased_at?: Instant };
  content_removed: { content_removed_at: Instant };

  // Limits
  reminded_already: { again_at: Instant };
  limit_reached: { max: number };
  quota_exceeded: { max_bytes: number };
  secret_just_rotated: { until: Instant };
  scope_missing: { scope: string };

  // Flights and aircraft
  flight_overlaps: { flight_id: FlightId };
  /** The keys of those that block. */
  findings_not_acknowledged: { rules: readonly string[] };
  counter_out_of_range: { counter: string };
  /** What the aircraft is grounded by. */
  grounding_not_by_hand: { kind: string };
  registration_taken: { aircraft_id: AircraftId; model: string; status: string };

  // People and training
  /** The last day on which the records must be kept, unless what they are about has not ended, and the law. */
  records_kept: { until?: LegalDate; article?: string };
  program_not_permitted: { kinds: readonly string[] };
  revision_empty: { lessons: readonly string[] };
  prerequisite_missing: { lessons: readonly string[] };
  /** The state of the certificate, and the day. */
  instructor_not_qualified: { state: string; on: LegalDate };
  /** What is not in order of the student on the day of the flight: their medical certificate, or their age. */
  student_not_qualified: { state: string; on: LegalDate; min_age?: number };
  subject_passed: { subject: string; on: LegalDate };
  training_recorded: { since: LegalDate };
  training_incomplete: { missing: readonly string[] };
  not_ready_for_test: { missing: readonly string[] };
  own_training_recorded: { recorded: readonly Recorded[] };
  pack_outdated: { issued_at: Instant };
  training_not_in_pack: { trainings: readonly PackTraining[] };
  other_subject: Fields;

  // Money
  seller_incomplete: Fields;
  buyer_incomplete: Fields;
  vat_category_mismatch: Fields;
  e_invoice_incomplete: Fields;
  exchange_rate_missing: { from: string; to: string; on: LegalDate };
  invoice_not_payable: { kind: string; status: string };
  customer_number_taken: { person_id: PersonId };
  rate_overlaps: { rate_id: Id<"rate">; valid_from: LegalDate; valid_until: LegalDate | null };
  /** The last day on which it was used. */
  rate_used: { until: LegalDate };
  line_credited: { line: number } | Record<never, never>;
  /** What is left of the line to credit. */
  credit_exceeds_line: { line: number; quantity: string } | { line: number; net_minor: number };
  /** The largest quantity of the sale that can be credited. */
  package_drawn: { quantity: string };
}
