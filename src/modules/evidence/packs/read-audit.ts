/** Reads what the PDF of an organization's state lists for an inspector. Its readers do not check an actor. */
import { yieldingBetween } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { type AsOf, asOf, withdrawnOnes } from "../../compliance/records/standing.queries.ts";
import type { Aircraft } from "../../fleet/fleet.shapes.ts";
import type { Defect } from "../../maintenance/defects/defects.shapes.ts";
import type { Item } from "../../maintenance/items/items.shapes.ts";
import type { WorkOrder } from "../../maintenance/work-orders/work-orders.shapes.ts";
import type { StudentRecord } from "../../training/file/file.shapes.ts";
import { progressWithFacts } from "../../training/progress/progress.queries.ts";
import type { Computed } from "../../training/progress/standing.ts";
import { listPapersOn, programsOn, rectifiedOn, type Trained, trainedOn } from "./audit.queries.ts";
import { groundingsOn, listAircraftOn, listItems } from "./compliance.queries.ts";
import { rowsOf } from "./json-parts.ts";
import { defectsOn, workOrdersOn } from "./maintenance.queries.ts";

type Reads = Pick<Tenant, "read">;
type Plane = Pick<Aircraft, "id" | "registration" | "model" | "class">;

/** A field that is left out: it was changed after the day, and what it was is not known. */
type DefectThen = Pick<Defect, "aircraft_id" | "description" | "grounding" | "created_at"> &
  Partial<Pick<Defect, "deferral_reason" | "deferred_until">>;
type OrderThen = Pick<WorkOrder, "id" | "number" | "aircraft_id" | "started_at" | "completed_at"> &
  Partial<Pick<WorkOrder, "title" | "items" | "findings" | "release">>;

export interface AuditedAircraft {
  aircraft: Plane;
  groundings: { kind: "by_hand" | "defect" | "maintenance" | "record"; note: string }[];
  papers: StudentRecord[];
  tasks: Item[];
  defects: DefectThen[];
  /** With the descriptions of the defects that their release rectified. */
  orders: (OrderThen & { rectified: readonly string[] })[];
}

export interface Audit {
  /** With the moment at which it ends. */
  date: LegalDate;
  end: Instant;
  now: Date;
  isToday: boolean;
  programs: Awaited<ReturnType<typeof programsOn>>;
  students: Student[];
  fleet: AuditedAircraft[];
}

/** The training and the tasks of maintenance are as they are now: of another day they are not known. */
export async function readAudit(tenant: Reads, { date, now }: { date: LegalDate; now: Date }): Promise<Audit> {
  const then = await tenant.read((reader) => asOf(reader, date));
  const isToday = (await tenant.read((reader) => today(reader, now))).toString() === date;
  const programs = await tenant.read((reader) => programsOn(reader, then));
  return {
    ...then,
    now,
    isToday,
    programs,
    students: await studentsOn(tenant, then, now),
    fleet: await fleetOn(tenant, then),
  };
}

/** With how far they are. */
interface Student {
  enrollment: Trained;
  sums: Computed["facts"]["flown"]["sums"];
  items: Computed["progress"]["items"];
}

/** Returns who was in training, by name. */
async function studentsOn(tenant: Reads, then: AsOf, now: Date): Promise<Student[]> {
  const students: Student[] = [];
  for await (const enrollment of yieldingBetween(await tenant.read((reader) => trainedOn(reader, then)))) {
    const { facts, progress } = await tenant.read((reader) => progressWithFacts(reader, enrollment, now));
    students.push({ enrollment, sums: facts.flown.sums, items: progress.items });
  }
  const nameOf = ({ enrollment: { student, program } }: Student) => `${student} ${program}`;
  return students.sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

async function fleetOn(tenant: Reads, then: AsOf): Promise<AuditedAircraft[]> {
  const fleet = await rowsIn<Plane>(rowsOf(tenant, (reader, page) => listAircraftOn(reader, then, page)));
  const ids = fleet.map(({ id }) => id);
  const withdrawn = await tenant.read((reader) => withdrawnOnes(reader, then));
  const tasks = rowsOf(tenant, (reader, page) => listItems(reader, then, page));
  const rectified = Map.groupBy(
    await tenant.read((reader) => rectifiedOn(reader, then)),
    ({ work_order_id }) => work_order_id,
  );
  const of = {
    groundings: await tenant.read((reader) => groundingsOn(reader, ids, then)),
    tasks: byAircraft(await rowsIn<Item>(tasks)),
    defects: byAircraft(await rowsIn<DefectThen>(defectsOn(tenant, then))),
    orders: byAircraft(await rowsIn<OrderThen>(workOrdersOn(tenant, then))),
  };
  const all: AuditedAircraft[] = [];
  fleet.sort((one, other) => one.registration.localeCompare(other.registration));
  for await (const aircraft of yieldingBetween(fleet)) {
    const { id } = aircraft;
    const list = listPapersOn(id, withdrawn);
    const papers = await rowsIn<StudentRecord>(rowsOf(tenant, (reader, page) => list(reader, then, page)));
    all.push({
      aircraft,
      groundings: (of.groundings.get(id) ?? []).map(({ grounding }) => grounding),
      // What was withdrawn or superseded after the day counted on it.
      papers: papers.map((one) => ({ ...one, status: "current", withdrawn_at: null })),
      tasks: of.tasks.get(id) ?? [],
      defects: of.defects.get(id) ?? [],
      orders: (of.orders.get(id) ?? []).map((order) => ({
        ...order,
        rectified: (rectified.get(order.id) ?? []).map(({ description }) => description),
      })),
    });
  }
  return all;
}

const rowsIn = <Row>(rows: AsyncIterable<unknown>): Promise<Row[]> => Array.fromAsync(rows) as Promise<Row[]>;

const byAircraft = <Row extends { aircraft_id: AircraftId }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ aircraft_id }) => aircraft_id);
