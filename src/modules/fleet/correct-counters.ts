import { eq } from "drizzle-orm";
import type { Tx } from "../../storage/store.ts";
import { eachCounter } from "./counters.queries.ts";
import type { AircraftRow } from "./fleet.queries.ts";
import type { Correction } from "./fleet.schemas.ts";
import { aircraft, counterCorrections } from "./fleet.tables.ts";

/** Posting: sets counters to the readings. What that adds is recorded, so that opening values, postings and corrections add up. */
export async function correctCounters(tx: Tx<"tenant">, row: AircraftRow, readings: Correction): Promise<void> {
  const { reason: _, ...given } = readings;
  const counters = { ...countersOf(row), ...given };
  await tx.update(aircraft).set(counters).where(eq(aircraft.id, row.id));
  const added = eachCounter((name) => counters[name] - row[name]);
  await tx.insert(counterCorrections).values({ aircraft_id: row.id, ...added, corrected_at: tx.now });
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
