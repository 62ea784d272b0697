/** What has attachments. Who may see the record, the work order or the defect may see its attachments. */
import { authorize, type MemberActor } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { Permission } from "../../core/permissions.ts";
import type { Reason } from "../../core/reasons.ts";
import type { IdsIn } from "../../http/resource-routes.ts";
import type { Reader } from "../../storage/store.ts";
import { authorizeManaging } from "../compliance/records/add-record.ts";
import { type RecordRow, requireRecord } from "../compliance/records/records.queries.ts";
import { defectEntity } from "../maintenance/defects/defects.queries.ts";
import { workOrderEntity } from "../maintenance/work-orders/work-orders.queries.ts";
import type { Owner } from "./attachments.queries.ts";

type Permissions = readonly [Permission, ...Permission[]];

/** Returns the owner of attachments. @throws NOT_FOUND, FORBIDDEN */
type Find<Ref> = (reader: Reader<"tenant">, ref: Ref, actor: MemberActor) => Promise<Owner>;

export interface Subject<Path extends string> {
  /** For the reference: `a work order`. */
  name: string;
  /** Below `/orgs/{orgId}`. */
  path: Path;
  /** The permissions to see, to add and to delete attachments: the caller needs one of them. */
  reads: Permissions;
  adds: Permissions;
  removes: Permissions;
  /** Reasons to refuse a new attachment. */
  refuses: readonly Reason[];
  toSee: Find<IdsIn<Path>>;
  toAdd: Find<IdsIn<Path>>;
  toRemove: Find<IdsIn<Path>>;
}

/** Each of the three finds an owner for those who have one of its permissions only. */
function subject<const Path extends string>(declared: Subject<Path>): Subject<Path> {
  const { reads, adds, removes, toSee, toAdd, toRemove } = declared;
  return {
    ...declared,
    toSee: permitted(reads, toSee),
    toAdd: permitted(adds, toAdd),
    toRemove: permitted(removes, toRemove),
  };
}

const permitted =
  <Ref>(anyOf: Permissions, find: Find<Ref>): Find<Ref> =>
  async (reader, ref, actor) => {
    authorize(actor, ...anyOf);
    return find(reader, ref, actor);
  };

const manageRecords: Permissions = ["compliance:manage", "compliance:manage_aircraft"];

async function manageableRecord(reader: Reader<"tenant">, id: RecordRow["id"], actor: MemberActor): Promise<RecordRow> {
  const record = await requireRecord(reader, id, actor);
  authorizeManaging(actor, record);
  return record;
}

export const ofRecords = subject({
  name: "a compliance record",
  path: "compliance/records/:recordId/attachments",
  reads: ["compliance:read", "compliance:read_aircraft", "compliance:read_own"],
  adds: manageRecords,
  removes: manageRecords,
  refuses: ["medical_without_files"],
  async toSee(reader, { recordId }, actor) {
    await requireRecord(reader, recordId, actor);
    return { record_id: recordId };
  },
  async toAdd(reader, { recordId }, actor) {
    const { type } = await manageableRecord(reader, recordId, actor);
    if (type === "medical")
      throw conflict("medical_without_files", "A medical has a class and dates only. Its documents are not kept here.");
    return { record_id: recordId };
  },
  async toRemove(reader, { recordId }, actor) {
    await manageableRecord(reader, recordId, actor);
    return { record_id: recordId };
  },
});

const workOrder: Find<IdsIn<"maintenance/work-orders/:workOrderId">> = async (reader, { workOrderId }) => {
  await workOrderEntity.row(reader, { workOrderId });
  return { work_order_id: workOrderId };
};

export const ofWorkOrders = subject({
  name: "a work order",
  path: "maintenance/work-orders/:workOrderId/attachments",
  reads: ["maintenance:read"],
  adds: ["maintenance:manage"],
  removes: ["maintenance:manage"],
  refuses: [],
  toSee: workOrder,
  toAdd: workOrder,
  toRemove: workOrder,
});

const defect: Find<IdsIn<"aircraft/:aircraftId/defects/:defectId">> = async (reader, { aircraftId, defectId }) => {
  await defectEntity.row(reader, { aircraftId, defectId });
  return { defect_id: defectId };
};

export const ofDefects = subject({
  name: "a defect",
  path: "aircraft/:aircraftId/defects/:defectId/attachments",
  reads: ["maintenance:read", "defects:report"],
  adds: ["defects:report"],
  removes: ["maintenance:manage"],
  refuses: [],
  toSee: defect,
  toAdd: defect,
  toRemove: defect,
});
