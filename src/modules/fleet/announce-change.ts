import type { By } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { aircraftChanged, aircraftRenamed, requirementsChanged } from "./fleet.occasions.ts";
import type { AircraftRow } from "./fleet.queries.ts";

/** What public lists of other modules show of an aircraft. */
const shownByOthers = ["registration", "model", "icao_type"] as const;

type Shown = Pick<AircraftRow, "status" | "class" | (typeof shownByOthers)[number]>;

/** Tells the modules above of a change of master data or of the status. */
export async function announceChange(
  tx: Tx<"tenant">,
  by: By,
  { id, ...before }: AircraftRow,
  after: Shown,
): Promise<void> {
  const changed = { id, by };
  if (after.status !== before.status || after.class !== before.class) await announce(tx, requirementsChanged, changed);
  await announce(tx, aircraftChanged, changed);
  if (shownByOthers.some((name) => after[name] !== before[name])) await announce(tx, aircraftRenamed, changed);
}
