import type { AircraftId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { ground, liftGrounding } from "../../fleet/grounding/ground.ts";
import { groundingNotes } from "../built-in-types.ts";
import { typeByKey } from "../types/types.queries.ts";
import { evaluationOf, hasHadRecord } from "./evaluations.queries.ts";

/**
 * Grounds an aircraft whose ARC or insurance, or a simulator whose qualification, has expired or was withdrawn, and lifts
 * that when it has a valid one. One that was never entered does not ground, and neither does one that the school does not
 * require. Call it after `evaluate`.
 */
export async function groundByRecords(tx: Tx<"tenant">, by: By, aircraft_id: AircraftId): Promise<void> {
  const evaluation = await evaluationOf(tx, { person_id: null, aircraft_id });
  if (evaluation === undefined) return; // archived: it keeps its reasons
  for (const [key, note] of Object.entries(groundingNotes)) {
    const type = await typeByKey(tx, key);
    if (type === undefined) continue;
    const cause = { aircraft_id, kind: "record", subject_id: type.id } as const;
    const lacks = evaluation.reasons.some(({ any_of, state }) => any_of.includes(key) && state !== "expiring");
    if (lacks && (await hasHadRecord(tx, aircraft_id, key))) await ground(tx, by, { ...cause, note });
    else await liftGrounding(tx, by, cause);
  }
}
