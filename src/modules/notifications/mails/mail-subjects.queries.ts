/** What a mail is about, as it is when the mail is sent. `undefined`: that has changed since, and the mail is not sent. */
import { and, eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import type { AircraftId, MaintenanceItemId, WorkOrderId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { complianceRecords, complianceTypes, type RecordId } from "../../compliance/compliance.tables.ts";
import { hasEnded } from "../../compliance/records/records.queries.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { openGroundings } from "../../fleet/grounding/groundings.queries.ts";
import type { MailRow } from "../../mails/mails.queries.ts";
import { type AircraftAlert, aircraftAlerts, type MailAlert } from "../../mails/mails.values.ts";
import { maintenanceItems, workOrders } from "../../maintenance/maintenance.tables.ts";

type TenantReader = Reader<"tenant">;

/** A record that expires or has expired. */
export interface ExpiringRecord {
  type: string;
  type_name: string;
  level: string | null;
  valid_until: Temporal.PlainDate;
  /** Negative if it has expired. */
  days_left: number;
}

export async function expiringRecord(
  reader: TenantReader,
  { subject_id, alert, person_id }: MailRow,
  now: Instant,
): Promise<ExpiringRecord | undefined> {
  const [found] = await reader
    .select({
      type: complianceRecords.type,
      type_name: complianceTypes.name,
      level: complianceRecords.level,
      valid_until: complianceRecords.valid_until,
    })
    .from(complianceRecords)
    .innerJoin(complianceTypes, eq(complianceTypes.key, complianceRecords.type))
    .where(and(eq(complianceRecords.id, subject_id as RecordId), eq(complianceRecords.status, "current")));
  if (!found?.valid_until) return undefined;
  const valid_until = Temporal.PlainDate.from(found.valid_until);
  const date = await today(reader, now);
  const id = subject_id as RecordId;
  if (person_id !== null && (await hasEnded(reader, { id, person_id }, toLegalDate(date)))) return undefined;
  const days_left = date.until(valid_until, { largestUnit: "days" }).days;
  // There is another mail about the expiry itself.
  if (alert === "expiring" && days_left < 0) return undefined;
  return { ...found, valid_until, days_left };
}

/** An aircraft that needs attention, and why. */
export interface AlertedAircraft {
  alert: AircraftAlert;
  registration: string;
  model: string;
  /** The item or the work order; the notes of the groundings. */
  about: readonly string[];
}

export async function alertedAircraft(
  reader: TenantReader,
  { alert, subject_id }: MailRow,
): Promise<AlertedAircraft | undefined> {
  if (!isAircraftAlert(alert)) return undefined;
  const found = await sourceOf(reader, alert, subject_id);
  if (found === undefined) return undefined;
  const { registration, model, status } = aircraft;
  const [plane] = await reader
    .select({ registration, model, status })
    .from(aircraft)
    .where(eq(aircraft.id, found.aircraft_id));
  if (plane === undefined || plane.status === "archived") return undefined;
  return { alert, registration: plane.registration, model: plane.model, about: found.about };
}

const isAircraftAlert = (alert: MailAlert): alert is AircraftAlert => aircraftAlerts.some((one) => one === alert);

interface Source {
  aircraft_id: AircraftId;
  about: readonly string[];
}

async function sourceOf(reader: TenantReader, alert: AircraftAlert, subject_id: string): Promise<Source | undefined> {
  if (alert === "aircraft_grounded") return groundedAircraft(reader, subject_id as AircraftId);
  if (alert === "work_order_opened") return openWorkOrder(reader, subject_id as WorkOrderId);
  const { aircraft_id, name, status } = maintenanceItems;
  const [item] = await reader
    .select({ aircraft_id, name, status })
    .from(maintenanceItems)
    .where(eq(maintenanceItems.id, subject_id as MaintenanceItemId));
  const isStill = item?.status === (alert === "item_overdue" ? "overdue" : "upcoming");
  return item && isStill ? { aircraft_id: item.aircraft_id, about: [item.name] } : undefined;
}

async function openWorkOrder(reader: TenantReader, id: WorkOrderId): Promise<Source | undefined> {
  const { aircraft_id, title, status } = workOrders;
  const [order] = await reader.select({ aircraft_id, title, status }).from(workOrders).where(eq(workOrders.id, id));
  return order && order.status !== "done" ? { aircraft_id: order.aircraft_id, about: [order.title] } : undefined;
}

async function groundedAircraft(reader: TenantReader, aircraft_id: AircraftId): Promise<Source | undefined> {
  const reasons = await openGroundings(reader, aircraft_id);
  return reasons.length > 0 ? { aircraft_id, about: reasons.map(({ note }) => note) } : undefined;
}
