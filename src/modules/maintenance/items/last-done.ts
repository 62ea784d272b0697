/** When an item was last done, and the readings from which its next interval counts. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Tx } from "../../../storage/store.ts";
import { counterNames, recordsBeginOn } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import {
  checkDone,
  type Done,
  type GivenReadings,
  momentNow,
  type Readings,
  readingsOf,
} from "../readings/readings.ts";
import type { ItemRow } from "./items.queries.ts";

type Fields = {
  [Name in "hobbs" | "tacho" | "airframe_minutes" | "landings" as `last_done_${Name}`]?: number | null;
};

/** Returns the readings that a request has. */
export function givenIn(fields: Fields): GivenReadings {
  const given: GivenReadings = {};
  for (const name of counterNames) {
    const reading = fields[`last_done_${name}`];
    if (reading !== undefined) given[name] = reading;
  }
  return given;
}

/** Without those that are not known: of a new item, they follow from the date, if that is in the aircraft's records. */
export const known = (given: GivenReadings): GivenReadings =>
  Object.fromEntries(Object.entries(given).filter(([, reading]) => reading !== null));

export const lastDoneOf = ({ last_done_on, last_done_at, last_done_given }: ItemRow): Done => ({
  on: last_done_on,
  at: last_done_at,
  given: last_done_given,
});

export const lastDoneColumns = ({ hobbs, tacho, airframe_minutes, landings }: Readings) => ({
  last_done_hobbs: hobbs,
  last_done_tacho: tacho,
  last_done_airframe_minutes: airframe_minutes,
  last_done_landings: landings,
});

/** Returns the columns of what was done. */
export const columnsOf = async (tx: Tx<"tenant">, aircraft: AircraftRow, done: Done) => ({
  last_done_on: done.on,
  last_done_at: done.at,
  last_done_given: done.given,
  ...lastDoneColumns(await readingsOf(tx, aircraft, done)),
});

const names = { on: "last_done_on", prefix: "last_done_" } as const;

/** Returns the columns of what somebody states. @throws VALIDATION_ERROR it was in the future, or a reading does not fit */
export async function statedLastDone(
  tx: Tx<"tenant">,
  aircraft: AircraftRow,
  { on, given }: { on: LegalDate | null; given: GivenReadings },
) {
  const done = { on, at: await momentNow(tx, on, tx.now), given };
  await checkDone(tx, aircraft, { done, now: tx.now, names });
  return columnsOf(tx, aircraft, done);
}

interface Changed {
  row: ItemRow;
  change: Fields & { last_done_on?: LegalDate | null };
}

/**
 * Returns the columns of an item whose date or readings are put right. Readings that are not given with another date follow from
 * that one; without a date they stay as they were.
 */
export async function changedLastDone(tx: Tx<"tenant">, aircraft: AircraftRow, { row, change }: Changed) {
  const { last_done_on: on = row.last_done_on } = change;
  const stated = givenIn(change);
  const isMoved = on !== row.last_done_on;
  if (!isMoved && Object.keys(stated).length === 0) return {};
  const at = isMoved ? await momentNow(tx, on, tx.now) : row.last_done_at;
  await checkDone(tx, aircraft, { done: { on, at, given: stated }, now: tx.now, names });
  const readings = givenIn(row);
  const isKept = on === null || on < (await recordsBeginOn(tx, aircraft));
  const kept = isMoved ? (isKept ? readings : {}) : row.last_done_given;
  return columnsOf(tx, aircraft, { on, at, given: { ...kept, ...stated } });
}
