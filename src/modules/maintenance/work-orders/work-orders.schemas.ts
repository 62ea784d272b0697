import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { withLimits } from "../../../http/body-limits.ts";
import { dateField, idOf, integer, longText, quantityText, text } from "../../../http/fields.ts";
import { paging, sortedBy, updatedSince } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { changeOf, newOf, optionalInputs } from "../../../storage/columns.ts";
import { counters } from "../../fleet/fleet.schemas.ts";
import { approvalKinds, workOrderStatuses } from "../maintenance.tables.ts";

const part = z.strictObject({
  name: text(120).meta({ examples: ["Oil filter"] }),
  part_number: text(60)
    .nullable()
    .meta({ examples: ["CH48110-1"] }),
  serial_number: text(60)
    .nullable()
    .meta({ description: "Of a part that has one.", examples: ["E18C0321"] }),
  batch_number: text(60)
    .nullable()
    .meta({ description: "Of a part that is not numbered by itself.", examples: ["L 24-117"] }),
  quantity: quantityText.meta({ examples: ["1.00"] }),
});

const newPart = part.extend({
  serial_number: part.shape.serial_number.default(null),
  batch_number: part.shape.batch_number.default(null),
});

const fitted = { description: "The parts that were fitted." };

/** The columns that the school writes. The public API shows all but the notes. */
export const publicFields = {
  title: text(120).meta({ examples: ["100-hour inspection"] }),
  findings: longText(5000)
    .nullable()
    .meta({ examples: ["Left magneto worn."] }),
  parts: {
    in: z.array(newPart).max(100).meta(fitted),
    out: z.array(part).meta(fitted),
  },
  worked_minutes: integer(0, 999_999).meta({
    description: "The sum of `hours`, where it is kept who worked.",
    examples: [480],
  }),
};

/** Somebody's work on a day. */
export const workFields = {
  person_id: idOf<"person">().nullable().meta({ description: "The person of the school who worked." }),
  worked_by: text(120)
    .nullable()
    .meta({ description: "The name of who worked, if that is no person of the school.", examples: ["Max Mechanic"] }),
  worked_on: dateField.meta({ examples: ["2026-06-14"] }),
  minutes: integer(1, 1440).meta({ examples: [480] }),
};
const { person_id, worked_by, worked_on, minutes } = workFields;

const hours = z
  .array(
    z
      .strictObject({ person_id: person_id.default(null), worked_by: worked_by.default(null), worked_on, minutes })
      .refine(
        ({ person_id, worked_by }) => person_id !== null || worked_by !== null,
        fault("one_needed", { fields: ["worked_by", "person_id"] }),
      )
      .refine(
        ({ person_id, worked_by }) => person_id === null || worked_by === null,
        fault("not_both", { fields: ["worked_by", "person_id"] }),
      ),
  )
  .max(200)
  .meta({ id: "NewWorkHours", description: "Who worked on it, on which day, and how long." });
export type NewHours = z.infer<typeof hours>;

export const notes = longText(5000).nullable();

const item_ids = z
  .array(idOf<"item">())
  .max(50)
  .refine((ids) => new Set(ids).size === ids.length, issueCodes.repeated)
  .meta({ description: "The maintenance items that it covers, which are done when it is completed." });

/** For a hundred parts and two hundred days of work with all their fields. */
const limits = { entries: 1800 };

const added = newOf("NewWorkOrder", {
  aircraft_id: idOf<"aircraft">(),
  ...publicFields,
  parts: publicFields.parts.in.default([]),
  worked_minutes: publicFields.worked_minutes.default(0),
  hours: hours.default([]),
  notes,
  item_ids: item_ids.default([]),
});
export const NewWorkOrder = withLimits(limits, added);
export type NewWorkOrder = z.infer<typeof NewWorkOrder>;

const change = changeOf("WorkOrderChange", { ...publicFields, hours, notes, item_ids });
export const WorkOrderChange = withLimits(limits, change);
export type WorkOrderChange = z.infer<typeof WorkOrderChange>;

export const WorkOrderListQuery = z.strictObject({
  ...paging,
  aircraft_id: idOf<"aircraft">().optional(),
  status: z.enum(workOrderStatuses).optional(),
  order: sortedBy("-created_at", "created_at"),
});

export const PublicWorkOrderListQuery = WorkOrderListQuery.omit({ order: true }).extend(updatedSince);

/** The fields of a release, as they are shown. */
export const releaseFields = {
  by: text(120).meta({ examples: ["Max Mechanic"] }),
  licence_number: text(40).meta({ examples: ["DE.66.4711"] }),
  person_id: idOf<"person">(),
  approval_kind: z.enum(approvalKinds).meta({
    description:
      "Under what it is released (ML.A.801): the approval of an organization, `cao` or `part_145`, or the right of one person, as independent certifying staff or as pilot-owner.",
    examples: ["cao"],
  }),
  approval_reference: text(60)
    .nullable()
    .meta({ description: "The number of an organization's approval.", examples: ["DE.CAO.0123"] }),
  maintenance_data: text(300).meta({
    description: "The maintenance data that were used, with their revision.",
    examples: ["Cessna 172S AMM, chapter 5-14, rev. 25"],
  }),
};

export const Release = z
  .strictObject({
    by: releaseFields.by.exactOptional().meta({ description: "Who certifies it, if that is no person of the school." }),
    person_id: releaseFields.person_id
      .exactOptional()
      .meta({ description: "The person of the school who certifies it, by whose name it is signed." }),
    licence_number: releaseFields.licence_number,
    approval: z.strictObject({
      kind: releaseFields.approval_kind,
      reference: releaseFields.approval_reference.default(null),
    }),
    maintenance_data: releaseFields.maintenance_data,
    on: dateField.exactOptional().meta({ description: "Today by default.", examples: ["2026-06-14"] }),
    ...optionalInputs(counters),
  })
  .refine(
    ({ by, person_id }) => by !== undefined || person_id !== undefined,
    fault("one_needed", { fields: ["by", "person_id"] }),
  )
  .refine(
    ({ by, person_id }) => by === undefined || person_id === undefined,
    fault("not_both", { fields: ["by", "person_id"] }),
  )
  .meta({
    id: "WorkOrderRelease",
    description:
      "The release to service. By default its counters are those at the end of its day, by the flights that are approved. Readings must be from those at the start of the day to those at its end, of the counters as they were then or as they were corrected since.",
  });
export type Release = z.infer<typeof Release>;

export const PublicWorkOrderRef = z.object({ workOrderId: idOf<"workOrder">() });
