import { z } from "zod";
import { changeOf } from "../../../storage/columns.ts";
import type { MailKind } from "../../mails/mails.values.ts";

const fields = {
  medical_expiring: z.boolean().meta({
    description:
      "A medical expires in 60, 30 or 14 days: one's own, and those of others for members with `compliance:manage` and `medicals:read`.",
    examples: [true],
  }),
  compliance_expiring: z.boolean().meta({
    description:
      "Another record of a person is about to expire, as its type warns, has expired, or lacks flights to be revalidated: one's own, and those of others for members with `compliance:manage`.",
    examples: [true],
  }),
  maintenance_alert: z.boolean().meta({
    description:
      "Maintenance is due soon or overdue, an aircraft was grounded or a work order opened: for members with `maintenance:manage`.",
    examples: [false],
  }),
  planning: z.boolean().meta({
    description: "A session of one's own was booked, moved or cancelled, or something one waits for became free.",
    examples: [true],
  }),
  invoice: z.boolean().meta({
    description: "An invoice or a credit note of one's own was sent, or a payment is overdue.",
    examples: [true],
  }),
} satisfies Record<MailKind, z.ZodType>;

export const Preferences = z
  .strictObject(fields)
  .meta({ id: "NotificationPreferences", description: "Which mails a member wants. By default all." });
export type Preferences = z.infer<typeof Preferences>;

export const PreferencesChange = changeOf("NotificationPreferencesChange", fields);
export type PreferencesChange = z.infer<typeof PreferencesChange>;
