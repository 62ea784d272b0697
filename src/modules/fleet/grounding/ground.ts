/** The postings that ground aircraft. They alone write the reasons; an aircraft's status follows from these. */
import { eq } from "drizzle-orm";
import { userIdOf } from "../../../core/actor.ts";
import { type AircraftId, type GroundingId, newIdAt } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { emitAlert } from "../emit-alert.ts";
import { aircraftEntity, requireAircraft } from "../fleet.queries.ts";
import { groundings } from "../fleet.tables.ts";
import { type GroundingRow, openGroundings } from "./groundings.queries.ts";

type TenantTx = Tx<"tenant">;

/** A reason of another module. It is known by its kind and its subject. */
interface Cause {
  aircraft_id: AircraftId;
  kind: Exclude<GroundingRow["kind"], "by_hand">;
  subject_id: string;
}

/** A member who grounds an aircraft gives as many reasons as they like. */
type Grounding = (Cause | { aircraft_id: AircraftId; kind: "by_hand"; subject_id: null }) & { note: string };

/**
 * Grounds an aircraft for a reason, and emits `aircraft_grounded` if it was available. Does nothing if the aircraft is
 * grounded because of this subject already. An archived aircraft stays archived, and is grounded when that is undone.
 *
 * @throws NOT_FOUND no such aircraft
 */
export async function ground(tx: TenantTx, by: By, { aircraft_id, kind, subject_id, note }: Grounding): Promise<void> {
  const open = await openGroundings(tx, aircraft_id);
  if (subject_id !== null && open.some((one) => isOf(one, { kind, subject_id }))) return;
  const { status } = await requireAircraft(tx, aircraft_id);
  const id: GroundingId = newIdAt(tx.now);
  await changeRow(tx, by, aircraftEntity, {
    id: aircraft_id,
    action: "aircraft.grounded",
    set: { status: status === "archived" ? status : "grounded", updated_at: tx.now },
    also: () =>
      insertRow(tx, groundings, {
        id,
        aircraft_id,
        kind,
        subject_id,
        note,
        since: tx.now,
        grounded_by: userIdOf(by.actor),
      }),
  });
  if (status === "available") await emitAlert(tx, aircraft_id, { alert: "aircraft_grounded" });
}

/** Lifts the reason of a subject. Does nothing if the aircraft is not grounded because of it. */
export async function liftGrounding(tx: TenantTx, by: By, { aircraft_id, kind, subject_id }: Cause): Promise<void> {
  const open = await openGroundings(tx, aircraft_id);
  const reason = open.find((one) => isOf(one, { kind, subject_id }));
  if (reason !== undefined) await lift(tx, by, reason);
}

/** Lifts a reason. The aircraft is available again if it has no other. */
export async function lift(
  tx: TenantTx,
  by: By,
  { id, aircraft_id }: GroundingRow,
  note: string | null = null,
): Promise<void> {
  const { status } = await requireAircraft(tx, aircraft_id);
  const others = (await openGroundings(tx, aircraft_id)).filter((one) => one.id !== id);
  await changeRow(tx, by, aircraftEntity, {
    id: aircraft_id,
    action: "aircraft.grounding_lifted",
    set: { status: status === "grounded" && others.length === 0 ? "available" : status, updated_at: tx.now },
    also: () =>
      tx
        .update(groundings)
        .set({ lifted_at: tx.now, lifted_by: userIdOf(by.actor), lift_note: note })
        .where(eq(groundings.id, id)),
  });
}

const isOf = (one: GroundingRow, { kind, subject_id }: Pick<GroundingRow, "kind" | "subject_id">): boolean =>
  one.kind === kind && one.subject_id === subject_id;
