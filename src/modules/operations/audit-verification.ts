import { z } from "zod";
import { idOf } from "../../http/fields.ts";

const VerifiedLog = z.strictObject({
  database: z.enum(["control", "tenant"]),
  organization_id: idOf<"organization">().nullable(),
  /** Rows that follow each other faultlessly, from the first. */
  rows: z.int(),
  /** What is wrong with the row after them, or with the log's end; null when nothing is. */
  fault: z.string().nullable(),
});
export type VerifiedLog = z.infer<typeof VerifiedLog>;

/** What a check of the audit logs found. */
export const AuditVerification = z.strictObject({ ok: z.boolean(), logs: z.array(VerifiedLog) });
export type AuditVerification = z.infer<typeof AuditVerification>;
