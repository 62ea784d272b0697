import { eraseFromLogs } from "../../storage/erase-logs.ts";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { listAuditLog } from "./audit-log.queries.ts";

export const operationsPersonal: PersonalData = {
  lists: {
    audit_log: (tenant, { personId }) =>
      allRows(tenant, (reader, page) => listAuditLog(reader, { ...page, subject_id: personId })),
  },
  eraseTraces: (tx, subject, by) => eraseFromLogs(tx, by, subject),
};
