import { eq } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { Counters } from "../../fleet/counters.queries.ts";
import { ground, liftGrounding } from "../../fleet/grounding/ground.ts";
import { defects } from "../maintenance.tables.ts";
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
  if (changes_on !== defect.changes_on) await tx.update(defects).set({ changes_on }).where(eq(defects.id, id));

  const minutes = defect.deferred_until_airframe_minutes;
  const hasEnded = (endsOn !== null && endsOn <= today) || (minutes !== null && at.counters.airframe_minutes > minutes);
  const cause = { aircraft_id, kind: "defect" as const, subject_id: id };
  if (hasEnded) await ground(tx, by, { ...cause, note: `The deferral has ended: ${description}` });
  else await liftGrounding(tx, by, cause);
}
