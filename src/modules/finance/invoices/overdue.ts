import { sql } from "drizzle-orm";
import { toLegalDate } from "../../../core/dates.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Tx } from "../../../storage/store.ts";
import { updateRow } from "../../../storage/update-row.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import { financeInvoices, type InvoiceRow } from "../invoices.tables.ts";
import { financeBalances, owes } from "../ledger.tables.ts";
import { settingsOf } from "../settings/settings.ts";
import { invoiceEntity } from "./invoices.queries.ts";

/**
 * Posting: marks an invoice as overdue, and queues the mail of the reminder that is due. Several at once are one mail. An
 * installation without mail counts none, and sends the next one once it has mail. Nobody is reminded who owes nothing, because what
 * they have on account covers their invoices: that is looked at again the next day.
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
  const isDue = tx.sendsMail && reached > reminders;
  const reminds = isDue && (await owesMoney(tx, row));
  const next = isDue && !reminds ? date.add({ days: 1 }) : dates[reached];
  const changes_on = next ? toLegalDate(next) : null;
  if (row.status === "overdue" && isDue && !reminds) return updateRow(tx, financeInvoices, id, { changes_on });
  await changeRow(tx, by, invoiceEntity, {
    id,
    action: reminds ? "finance_invoice.reminded" : "finance_invoice.overdue",
    set: {
      status: "overdue",
      changes_on,
      ...(reminds && { reminders: reached }),
      updated_at: tx.now,
    },
  });
  if (reminds) await queueMailTo(tx, person_id, { kind: "invoice", alert: "invoice_reminder", subject_id: id });
}

const owed = lookUp(
  { balance_minor: financeBalances.balance_minor },
  sql`from ${financeBalances} where ${financeBalances.person_id} = ${sql.placeholder("person_id")}
    and ${financeBalances.currency} = ${sql.placeholder("currency")} and ${owes}`,
);

/** Returns whether a person owes something in the currency of an invoice, after what they have on account. */
const owesMoney = async (tx: Tx<"tenant">, { person_id, currency }: InvoiceRow): Promise<boolean> =>
  (await owed(tx, { person_id, currency })) !== undefined;
