import { releaseStatements } from "../../../../core/release-statement.ts";
import type { approvalKinds, workOrderStatuses } from "../../maintenance.tables.ts";

export interface OrderTexts {
  title: { open: string; released: string };
  page(number: number, count: number): string;
  made(minute: string): string;
  aircraft: { heading: string; registration: string; model: string; school: string };
  order: {
    heading: string;
    title: string;
    status: string;
    statuses: Record<(typeof workOrderStatuses)[number], string>;
    opened: string;
    started: string;
    worked: string;
  };
  items: { heading: string };
  defects: { heading: string; description: string; reported: string };
  findings: { heading: string };
  parts: { heading: string; name: string; part: string; serial: string; batch: string; quantity: string };
  release: {
    heading: string;
    /** What the signature certifies (ML.A.801). @param by the kind of the approval */
    statement: (by: string) => string;
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
  title: { open: "Work order", released: "Work order and certificate of release to service" },
  page: (number, count) => `Page ${number} of ${count}`,
  made: (minute) => `made ${minute}`,
  aircraft: {
    heading: "Aircraft",
    registration: "Registration",
    model: "Type",
    school: "Organization",
  },
  order: {
    heading: "Work order",
    title: "Work",
    status: "Status",
    statuses: { open: "open", in_progress: "in progress", done: "released" },
    opened: "Opened",
    started: "Started",
    worked: "Hours worked",
  },
  items: { heading: "Maintenance tasks" },
  defects: { heading: "Defects", description: "Defect", reported: "Reported" },
  findings: { heading: "Findings and their rectification" },
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
