/** When an item was last done, and the readings from which its next interval counts. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { counterNames, eachCounter } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { entered } from "../readings/entered.ts";
import { type Done, type GivenReadings, momentOfStored, type Readings, readingsOf } from "../readings/readings.ts";
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

/** Returns `undefined` if it is not known. */
export async function lastDoneOf(reader: Reader<"tenant">, row: ItemRow): Promise<Done | undefined> {
  const { last_done_on: on, last_done_given: given, last_done_corrected: corrected } = row;
  const at = row.last_done_at ?? (on === null ? null : await momentOfStored(reader, on, null));
  if (at === null) return undefined;
  const recorded = counterNames.some((name) => given[name] === undefined && row[`last_done_${name}`] !== null);
  return { on, at, given, corrected, recorded };
}

export const lastDoneColumns = ({ hobbs, tacho, airframe_minutes, landings }: Readings) => ({
  last_done_hobbs: hobbs,
  last_done_tacho: tacho,
  last_done_airframe_minutes: airframe_minutes,
  last_done_landings: landings,
});

/** Returns the columns of what was done. */
export const columnsOf = async (tx: Tx<"tenant">, aircraft: AircraftRow, done: Done) => ({
  last_done_on: done.on,
  last_done_at: isKnown(done) ? done.at : null,
  last_done_given: done.given,
  last_done_corrected: done.corrected,
  ...lastDoneColumns(await readingsOf(tx, aircraft, done)),
});

const isKnown = ({ on, given }: Done) => on !== null || Object.keys(known(given)).length > 0;

export const names = { on: "last_done_on", prefix: "last_done_" } as const;

/** Returns the columns of what somebody states. @throws VALIDATION_ERROR it was in the future, or a reading does not fit */
export const statedLastDone = async (
  tx: Tx<"tenant">,
  aircraft: AircraftRow,
  stated: { on: LegalDate | null; given: GivenReadings },
) => columnsOf(tx, aircraft, await entered(tx, aircraft, { ...stated, now: tx.now, names }));

interface Changed {
  row: ItemRow;
  change: Fields & { last_done_on?: LegalDate | null };
}

/**
 * Returns the columns of an item whose date or readings are put right. Readings that are not given with another date follow from
 * that one; without a date, and before the records, they stay as they were.
 */
export async function changedLastDone(tx: Tx<"tenant">, aircraft: AircraftRow, { row, change }: Changed) {
  const { last_done_on: on = row.last_done_on } = change;
  const stated = givenIn(change);
  const isMoved = on !== row.last_done_on;
  if (!isMoved && Object.keys(stated).length === 0) return {};
  const before = await lastDoneOf(tx, row);
  const at = isMoved || on === null ? undefined : before?.at;
  const done = await entered(tx, aircraft, { on, given: stated, now: tx.now, ...(at && { at }), names });
  const moved = done.recorded ? {} : givenIn(row);
  const kept = isMoved ? moved : row.last_done_given;
  const isKept = (name: keyof Readings) => stated[name] === undefined && (!isMoved || kept[name] !== undefined);
  return columnsOf(tx, aircraft, {
    ...done,
    given: { ...kept, ...stated },
    corrected: eachCounter((name) => (isKept(name) ? row.last_done_corrected : done.corrected)[name]),
    recorded: done.recorded || (!isMoved && before?.recorded === true),
  });
}
