/**
 * Defects and work orders on a day. All are read, the closed ones too, so that none of the statements searches long for the few
 * that were open. The readers do not check an actor.
 */
import { lt, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { field, fieldsOf, json, part } from "../../../storage/shape.ts";
import type { Reader, Tenant } from "../../../storage/store.ts";
import { startOf } from "../../../storage/today.ts";
import type { AsOf } from "../../compliance/records/standing.queries.ts";
import { type Defect, defect } from "../../maintenance/defects/defects.shapes.ts";
import { defects, workOrders } from "../../maintenance/maintenance.tables.ts";
import { publicWorkOrder, type WorkOrder, workOrder } from "../../maintenance/work-orders/work-orders.shapes.ts";
import { foundLater } from "./as-of.queries.ts";
import { rowsOf } from "./json-parts.ts";

type Reads = Pick<Tenant, "read">;

const aYearBefore = ({ date }: AsOf): Temporal.PlainDate => Temporal.PlainDate.from(date).subtract({ years: 1 });

/** What ended before this day is not in the pack. */
export const yearBefore = (asOf: AsOf): LegalDate => toLegalDate(aYearBefore(asOf));

/** Returns the moment at which that day begins where the organization is. */
export const startOfYearBefore = (reader: Reader<"tenant">, asOf: AsOf): Promise<Instant> =>
  startOf(reader, aYearBefore(asOf));

/** The resource before the first change after the day. */
const before = (value: SQL) => ({ before: field(z.record(z.string(), z.unknown()).nullable(), json(value)) });

const ofDefect = {
  ...fieldsOf(defect, "id", "aircraft_id", "description", "grounding", "created_at"),
  ...fieldsOf(defect, "deferral_reason", "deferred_until", "rectified_at", "updated_at"),
};

function listDefects(reader: Reader<"tenant">, asOf: AsOf, page: PageRequest) {
  const found = part({ ...ofDefect, ...before(foundLater(defects, "defect", asOf, "$.before")) });
  const where = lt(defects.created_at, asOf.end);
  return pageBody(reader, found, { ...page, from: defects, where, orderBy: ascending(found, "id") });
}

/** Defects that were not rectified at the end of the day. */
export async function* defectsOn(tenant: Reads, asOf: AsOf): AsyncGenerator<unknown> {
  for await (const row of rowsOf(tenant, (reader, page) => listDefects(reader, asOf, page))) {
    const { rectified_at, ...shown } = row as Later & Pick<Defect, "rectified_at">;
    if (isBefore(rectified_at, asOf)) continue;
    yield onDay(shown, ["deferral_reason", "deferred_until"], asOf);
  }
}

const { status: _, ...shownOfOrder } = publicWorkOrder.fields;
const ofOrder = { ...shownOfOrder, ...fieldsOf(workOrder, "hours") };

function listOrders(reader: Reader<"tenant">, asOf: AsOf, page: PageRequest) {
  const order = part({ ...ofOrder, ...before(foundLater(workOrders, "work_order", asOf, "$.before")) });
  const where = lt(workOrders.created_at, asOf.end);
  return pageBody(reader, order, { ...page, from: workOrders, where, orderBy: ascending(order, "id") });
}

/** Work orders that were not done, and those released in the year before. */
export async function* workOrdersOn(tenant: Reads, asOf: AsOf): AsyncGenerator<unknown> {
  const from: string = await tenant.read((reader) => startOfYearBefore(reader, asOf));
  for await (const row of rowsOf(tenant, (reader, page) => listOrders(reader, asOf, page))) {
    const order = row as Later & Pick<WorkOrder, "started_at" | "completed_at" | "release">;
    const isDone = isBefore(order.completed_at, asOf);
    if (isDone && order.completed_at !== null && order.completed_at < from) continue;
    const started_at = isBefore(order.started_at, asOf) ? order.started_at : null;
    const unfinished = isDone ? {} : { completed_at: null, release: null };
    yield onDay(
      { ...order, started_at, ...unfinished },
      ["title", "findings", "parts", "worked_minutes", "hours", "item_ids", "items", "release"],
      asOf,
    );
  }
}

const isBefore = (instant: string | null, { end }: AsOf): boolean => instant !== null && instant < end;

type Later = { updated_at: string; before: Record<string, unknown> | null };

/** Puts back what later changes have replaced. Where that is not known, it is left out. */
function onDay<Row extends Later>(
  { updated_at, before, ...row }: Row,
  names: readonly string[],
  { end }: AsOf,
): object {
  if (updated_at < end) return row;
  return { ...row, ...Object.fromEntries(names.map((name) => [name, before?.[name]])) };
}
