import { toLegalDate } from "../../../core/dates.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import type { InvoiceRow } from "../invoices.tables.ts";
import { settingsOf } from "../settings/settings.ts";
import { invoiceEntity } from "./invoices.queries.ts";

/**
 * Posting: marks an invoice as overdue, and queues the mail of the reminder that is due. Several at once are one mail. An
 * installation without mail counts none, and sends the next one once it has mail.
 *
 * @param date today's
 */
export async function becomeOverdue(
  tx: Tx<"tenant">,
  by: By,
  row: InvoiceRow,
  date: Temporal.PlainDate,
): Promise<void> {
  const { id, person_id, due_on, reminders } = row;
  if (due_on === null) throw new Error(`The invoice ${id} was not sent.`);
  const { reminder_days } = await settingsOf(tx);
  const dates = reminder_days.map((days) => Temporal.PlainDate.from(due_on).add({ days }));
  const reached = dates.filter((day) => Temporal.PlainDate.compare(day, date) <= 0).length;
  const reminds = tx.sendsMail && reached > reminders;
  const next = dates[reached];
  await changeRow(tx, by, invoiceEntity, {
    id,
    action: reminds ? "finance_invoice.reminded" : "finance_invoice.overdue",
    set: {
      status: "overdue",
      changes_on: next ? toLegalDate(next) : null,
      ...(reminds && { reminders: reached }),
      updated_at: tx.now,
    },
  });
  if (reminds) await queueMailTo(tx, person_id, { kind: "invoice", alert: "invoice_reminder", subject_id: id });
}
