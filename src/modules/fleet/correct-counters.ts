import { eq } from "drizzle-orm";
import { userIdOf } from "../../core/actor.ts";
import { newIdAt } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Tx } from "../../storage/store.ts";
import { eachCounter } from "./counters.queries.ts";
import type { AircraftRow } from "./fleet.queries.ts";
import type { Correction } from "./fleet.schemas.ts";
import { aircraft, counterCorrections } from "./fleet.tables.ts";

/** Posting: sets counters to the readings. What that adds is recorded, so that opening values, postings and corrections add up. */
export async function correctCounters(
  tx: Tx<"tenant">,
  { actor }: By,
  row: AircraftRow,
  { reason, ...given }: Correction,
): Promise<void> {
  const counters = { ...countersOf(row), ...given };
  await tx.update(aircraft).set(counters).where(eq(aircraft.id, row.id));
  await insertRow(tx, counterCorrections, {
    id: newIdAt<"correction">(tx.now),
    aircraft_id: row.id,
    ...eachCounter((name) => counters[name] - row[name]),
    reason,
    corrected_by: userIdOf(actor),
    corrected_at: tx.now,
  });
}

export const countersOf = <Reading>({ hobbs, tacho, airframe_minutes, landings }: Readings<Reading>) => ({
  hobbs,
  tacho,
  airframe_minutes,
  landings,
});

interface Readings<Reading> {
  hobbs: Reading;
  tacho: Reading;
  airframe_minutes: number;
  landings: number;
}
