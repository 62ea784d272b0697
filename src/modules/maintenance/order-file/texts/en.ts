import { releaseStatements } from "../../../../core/release-statement.ts";
import type { approvalKinds, workOrderStatuses } from "../../maintenance.tables.ts";

export interface OrderTexts {
  title: { open(number: string): string; released(number: string): string };
  page(number: number, count: number): string;
  made(minute: string): string;
  aircraft: { heading: string; registration: string; model: string; serial: string; noSerial: string; school: string };
  order: {
    heading: string;
    number: string;
    title: string;
    status: string;
    statuses: Record<(typeof workOrderStatuses)[number], string>;
    opened: string;
    started: string;
  };
  items: { heading: string };
  defects: { heading: string; description: string; reported: string };
  findings: { heading: string };
  hours: { heading: string; name: string; day: string; minutes: string; sum: string };
  parts: { heading: string; name: string; part: string; serial: string; batch: string; quantity: string };
  release: {
    heading: string;
    /** What the signature certifies (ML.A.801). @param by the kind of the approval */
    statement: (by: string) => string;
    done: string;
    rectified(description: string): string;
    by: string;
    licence: string;
    approval: string;
    approvals: Record<(typeof approvalKinds)[number], string>;
    data: string;
    on: string;
    airframe: string;
    landings: string;
    entered: string;
    signature: string;
    none: string;
  };
}

export const en: OrderTexts = {
  title: {
    open: (number) => `Work order ${number}`,
    released: (number) => `Work order ${number} and certificate of release to service`,
  },
  page: (number, count) => `Page ${number} of ${count}`,
  made: (minute) => `made ${minute}`,
  aircraft: {
    heading: "Aircraft",
    registration: "Registration",
    model: "Type",
    serial: "Serial number",
    noSerial: "not recorded",
    school: "Organization",
  },
  order: {
    heading: "Work order",
    number: "Number",
    title: "Work",
    status: "Status",
    statuses: { open: "open", in_progress: "in progress", done: "released" },
    opened: "Opened",
    started: "Started",
  },
  items: { heading: "Maintenance tasks" },
  defects: { heading: "Defects", description: "Defect", reported: "Reported" },
  findings: { heading: "Findings and their rectification" },
  hours: { heading: "Who worked", name: "Name", day: "Day", minutes: "Hours", sum: "Together" },
  parts: {
    heading: "Parts that were fitted",
    name: "Part",
    part: "Part number",
    serial: "Serial number",
    batch: "Batch",
    quantity: "Quantity",
  },
  release: {
    heading: "Certificate of release to service (ML.A.801)",
    statement: releaseStatements.en,
    done: "Work carried out",
    rectified: (description) => `Defect rectified: ${description}`,
    by: "Certified by",
    licence: "Licence",
    approval: "Approval",
    approvals: {
      cao: "CAO",
      part_145: "Part-145",
      independent: "Independent certifying staff",
      pilot_owner: "Pilot-owner",
    },
    data: "Maintenance data",
    on: "Date",
    airframe: "Airframe hours",
    landings: "Landings",
    entered: "Recorded",
    signature: "Signature",
    none: "Not released to service. This is no certificate.",
  },
};
