import { and, eq, isNotNull, isNull, ne, or } from "drizzle-orm";
import type { MemberActor } from "../../core/actor.ts";
import type { PersonId } from "../../core/ids.ts";
import { webhookEndpoints } from "../../events/events.tables.ts";
import type { Reader } from "../../storage/store.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { flights } from "../flights/flights.tables.ts";
import { people } from "../people/people.tables.ts";
import { planningWishes } from "../planning/planning.tables.ts";
import { trainingSignoffs } from "../training/training.tables.ts";

type TenantReader = Reader<"tenant">;

export const countFailingEndpoints = (reader: TenantReader): Promise<number> =>
  reader.$count(webhookEndpoints, and(isNull(webhookEndpoints.deleted_at), isNotNull(webhookEndpoints.failing_since)));

/** Counts students who wait for a slot. */
export const countWaiting = (reader: TenantReader): Promise<number> =>
  reader.$count(planningWishes, eq(planningWishes.status, "waiting"));

export const countUnacknowledged = (reader: TenantReader, student: PersonId): Promise<number> =>
  reader.$count(
    trainingSignoffs,
    and(
      eq(trainingSignoffs.student_id, student),
      eq(trainingSignoffs.status, "recorded"),
      isNull(trainingSignoffs.acknowledged_at),
    ),
  );

/** What a school begins with. */
export interface Beginnings {
  has_aircraft: boolean;
  has_people: boolean;
  has_flight: boolean;
  has_webhook: boolean;
}

export async function beginningsOf(reader: TenantReader, { userId }: MemberActor): Promise<Beginnings> {
  const [aircraftCount, peopleCount, flightCount, webhookCount] = await Promise.all([
    reader.$count(aircraft),
    reader.$count(people, or(isNull(people.user_id), ne(people.user_id, userId))),
    reader.$count(flights, isNotNull(flights.submitted_at)),
    reader.$count(webhookEndpoints, isNull(webhookEndpoints.deleted_at)),
  ]);
  return {
    has_aircraft: aircraftCount > 0,
    has_people: peopleCount > 0,
    has_flight: flightCount > 0,
    has_webhook: webhookCount > 0,
  };
}
