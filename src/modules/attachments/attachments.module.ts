import type { Module } from "../../module.ts";
import { attachmentUploads } from "./attachments.jobs.ts";
import { attachmentsPersonal } from "./attachments.personal.ts";
import { attachmentRoutes } from "./attachments.routes.ts";
import * as tables from "./attachments.tables.ts";
import { attachmentChanges } from "./attachments-changes.queries.ts";
import { ofDefects, ofRecords, ofWorkOrders } from "./subjects.ts";
import { createUploadSlots } from "./upload-slots.ts";

export const attachments = {
  tables: { tenant: tables },
  routes(http, { config }) {
    const options = { quota: config.attachmentQuota, slots: createUploadSlots() };
    return [
      attachmentRoutes(http, options, ofRecords),
      attachmentRoutes(http, options, ofWorkOrders),
      attachmentRoutes(http, options, ofDefects),
    ];
  },
  jobs: [attachmentUploads],
  personal: attachmentsPersonal,
  changes: attachmentChanges,
  tags: { Attachments: "Files of compliance records, work orders and defects: PDF, JPEG and PNG, up to 10 MiB each." },
} satisfies Module<{ config: { attachmentQuota: number } }>;
