import { eq } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { By } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import type { Counters } from "../../fleet/counters.queries.ts";
import { ground, liftGrounding } from "../../fleet/grounding/ground.ts";
import { defects } from "../maintenance.tables.ts";
import { flownSince } from "../readings/counters-at.queries.ts";
import type { DefectRow } from "./defects.queries.ts";

interface At {
  counters: Pick<Counters, "airframe_minutes">;
  today: Temporal.PlainDate;
}

/** Grounds the aircraft if the deferral of a defect has ended, by date or by airframe time; otherwise lifts that. */
export async function assessDeferral(tx: Tx<"tenant">, by: By, defect: DefectRow, at: At): Promise<void> {
  const { id, aircraft_id, description, deferred_until: until } = defect;
  const today = toLegalDate(at.today);
  const endsOn = until === null ? null : toLegalDate(Temporal.PlainDate.from(until).add({ days: 1 }));
  const changes_on: LegalDate | null = endsOn !== null && endsOn > today ? endsOn : null;
  const remaining = await remainingMinutes(tx, defect, at);
  const limit = remaining === null ? null : Math.max(0, at.counters.airframe_minutes + remaining);
  if (changes_on !== defect.changes_on || limit !== defect.deferred_until_airframe_minutes)
    await tx.update(defects).set({ changes_on, deferred_until_airframe_minutes: limit }).where(eq(defects.id, id));

  const hasEnded = (endsOn !== null && endsOn <= today) || (remaining !== null && remaining < 0);
  const cause = { aircraft_id, kind: "defect" as const, subject_id: id };
  if (hasEnded) await ground(tx, by, { ...cause, note: `The deferral has ended: ${description}` });
  else await liftGrounding(tx, by, cause);
}

/**
 * Returns the airframe time that the aircraft may still fly with the defect; negative beyond the limit. What it has flown are the
 * flights since the deferral, as since a release (`readings/readings.ts`): a correction of the counter is no use.
 */
async function remainingMinutes(reader: Reader<"tenant">, defect: DefectRow, { counters }: At): Promise<number | null> {
  const { aircraft_id, deferred_minutes: minutes, deferred_at: since, deferred_until_airframe_minutes: limit } = defect;
  // An older version stored only the reading.
  if (minutes === null || since === null) return limit === null ? null : limit - counters.airframe_minutes;
  return minutes - (await flownSince(reader, aircraft_id, since)).airframe_minutes;
}
