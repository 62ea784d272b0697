import { eq, getTableColumns, sql } from "drizzle-orm";
import type { AircraftId, WorkOrderId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import { descending, listOf, reversed } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { defects } from "../maintenance.tables.ts";
import { defect } from "./defects.shapes.ts";

export type DefectRow = typeof defects.$inferSelect;

export const defectEntity = entityOf("defect", {
  table: defects,
  shape: defect,
  path: { aircraftId: defects.aircraft_id, defectId: defects.id },
});

const newestFirst = descending(defect, "id");

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listDefects = listOf(defect, {
  from: defects,
  orderBy: newestFirst,
  orders: { "-created_at": newestFirst, created_at: reversed(newestFirst) },
});

export const deferredDefects = (reader: Reader<"tenant">, aircraftId: AircraftId): Promise<DefectRow[]> =>
  deferred(reader, { id: aircraftId });

const deferred = lookUpAll(
  getTableColumns(defects),
  sql`from ${defects} where ${defects.aircraft_id} = ${sql.placeholder("id")} and ${defects.status} = 'deferred'`,
);

export const defectsOf = (reader: Reader<"tenant">, workOrderId: WorkOrderId): Promise<DefectRow[]> =>
  reader.select().from(defects).where(eq(defects.work_order_id, workOrderId));
