import { sql } from "drizzle-orm";
import { yieldingBetween } from "../../../core/async.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { By } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { emitAlert } from "../../fleet/emit-alert.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { ground, liftGrounding } from "../../fleet/grounding/ground.ts";
import { openGroundings } from "../../fleet/grounding/groundings.queries.ts";
import { assessDeferral } from "../defects/assess-deferral.ts";
import { type DefectRow, deferredDefects } from "../defects/defects.queries.ts";
import { type ItemRow, itemEntity, itemsOf } from "../items/items.queries.ts";
import { maintenanceItems } from "../maintenance.tables.ts";
import { type Assessment, assess } from "./assess.ts";
import { flownBy } from "./flown.queries.ts";

type TenantTx = Tx<"tenant">;

/** What of an aircraft is assessed. */
export interface Assessable {
  items: readonly ItemRow[];
  deferred: readonly DefectRow[];
}

export async function assessableOf(reader: Reader<"tenant">, aircraftId: AircraftId): Promise<Assessable> {
  const [items, deferred] = await Promise.all([itemsOf(reader, aircraftId), deferredDefects(reader, aircraftId)]);
  return { items, deferred };
}

/**
 * Compares the maintenance items of an aircraft with its counters and the date, and stores what has changed. Emits
 * `item_upcoming` and `item_overdue` when a status has become worse, unless the aircraft is archived. A critical item past
 * its tolerance grounds the aircraft, and so does a defect whose deferral has ended. Call it after each change of the
 * counters or of an item.
 *
 * @param read what is assessed, if it was read in this transaction and has not changed since
 */
export async function assessAircraft(tx: TenantTx, by: By, aircraftId: AircraftId, read?: Assessable): Promise<void> {
  const { items, deferred } = read ?? (await assessableOf(tx, aircraftId));
  if (items.length + deferred.length === 0) return;
  const [flown, date, groundings] = await Promise.all([
    flownBy(tx, aircraftId, tx.now),
    today(tx, tx.now),
    openGroundings(tx, aircraftId),
  ]);
  const at = { ...flown, today: date };
  const assessed = items.map((item) => ({ item, found: assess(item, at) }));
  await store(tx, assessed);
  const grounded = new Set(groundings.map(({ subject_id }) => subject_id));
  for await (const { item, found } of yieldingBetween(assessed)) {
    const isChanged = item.status !== found.status || item.past_tolerance !== found.past_tolerance;
    if (isChanged) await report(tx, by, { aircraft: flown.counters, item, found });
    const grounds = item.critical && found.past_tolerance;
    if (grounds !== grounded.has(item.id)) await settle(tx, by, item, grounds);
  }
  for (const defect of deferred) await assessDeferral(tx, by, defect, at);
}

/** The columns of an assessment. */
const names = [
  "status",
  "past_tolerance",
  "due_on",
  "due_hours",
  "due_landings",
  "remaining_hours",
  "remaining_landings",
  "forecast_on",
  "changes_on",
] as const satisfies readonly (keyof Assessment)[];

const update = sql`update ${maintenanceItems} set ${sql.join(
  names.map((name) => sql`${sql.identifier(name)} = ${sql.placeholder(name)}`),
  sql.raw(", "),
)} where id = ${sql.placeholder("id")}`;

interface Assessed {
  item: ItemRow;
  found: Assessment;
}

/** With a statement that is built once: each approval of a flight changes the remaining hours of many items. */
const store = (tx: TenantTx, assessed: readonly Assessed[]) =>
  tx.each(
    update,
    assessed
      .filter(({ item, found }) => names.some((name) => item[name] !== found[name]))
      .map(({ item: { id }, found }) => ({ ...found, past_tolerance: Number(found.past_tolerance), id })),
  );

async function report(
  tx: TenantTx,
  by: By,
  { aircraft, item, found }: Assessed & { aircraft: AircraftRow },
): Promise<void> {
  await audit(tx, by, "maintenance_item.status_changed", {
    subject: { kind: itemEntity.kind, id: item.id },
    before: { status: item.status, past_tolerance: item.past_tolerance },
    after: { status: found.status, past_tolerance: found.past_tolerance },
  });
  if (aircraft.status === "archived" || rank[found.status] <= rank[item.status] || found.status === "ok") return;
  const { id, name, critical, status, due_on, remaining_hours, remaining_landings } = (
    await itemEntity.read(tx, item.id)
  ).value;
  await emitAlert(tx, aircraft.id, {
    alert: `item_${found.status}`,
    item: { id, name, critical, status, due_on, remaining_hours, remaining_landings },
  });
}

const rank = { ok: 0, upcoming: 1, overdue: 2 };

function settle(tx: TenantTx, by: By, { id, aircraft_id, name }: ItemRow, grounds: boolean): Promise<void> {
  const cause = { aircraft_id, kind: "maintenance" as const, subject_id: id };
  return grounds ? ground(tx, by, { ...cause, note: `Overdue: ${name}` }) : liftGrounding(tx, by, cause);
}
