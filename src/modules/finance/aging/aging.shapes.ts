/** Who owes what, and since when. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { columns } from "../../../storage/columns.ts";
import { field, shape } from "../../../storage/shape.ts";
import { people } from "../../people/people.tables.ts";
import { currency, minor } from "../finance.fields.ts";
import { financeInvoices as invoices, isOpen } from "../invoices.tables.ts";
import { financeBalances as balances } from "../ledger.tables.ts";

export const AgingQuery = z.strictObject({
  ...paging,
  order: z
    .enum(["debt", "name"])
    .optional()
    .meta({ description: "`debt` (the default): the largest first. `name`: by name.", examples: ["name"] }),
});

/** A subquery over the open invoices of the row's person and currency. */
const ofOpen = (value: SQL, isIn: SQL) => sql`(select ${value} from ${invoices}
  where ${invoices.person_id} = ${balances.person_id} and ${invoices.currency} = ${balances.currency}
    and ${invoices}.${isOpen} and ${invoices.kind} = 'invoice' and ${isIn})`;

const left = sql`ifnull(sum(${invoices.gross_minor} - ${invoices.paid_minor} - ${invoices.credited_minor}), 0)`;
const all = sql`true`;

/** The days that part the columns: today, and 30, 60 and 90 days earlier. */
const day = {
  today: sql.placeholder("today"),
  d30: sql.placeholder("d30"),
  d60: sql.placeholder("d60"),
  d90: sql.placeholder("d90"),
};
const due = invoices.due_on;

export const agingRow = shape("AgingRow", {
  ...columns(balances, { person_id: idOf<"person">() }),
  name: field(z.string().meta({ examples: ["Anna Berg"] }), people.name),
  ...columns(balances, { currency }),
  owed_minor: field(minor("What they owe: `total_minor` minus `on_account_minor`.", 27_668), balances.balance_minor),
  total_minor: field(minor("What is left to pay of invoices.", 27_668), ofOpen(left, all)),
  not_due_minor: field(minor("Of it: due today or later.", 0), ofOpen(left, sql`${due} >= ${day.today}`)),
  days_1_30_minor: field(
    minor("Of it: overdue by 1 to 30 days.", 27_668),
    ofOpen(left, sql`${due} < ${day.today} and ${due} >= ${day.d30}`),
  ),
  days_31_60_minor: field(
    minor("Of it: overdue by 31 to 60 days.", 0),
    ofOpen(left, sql`${due} < ${day.d30} and ${due} >= ${day.d60}`),
  ),
  days_61_90_minor: field(
    minor("Of it: overdue by 61 to 90 days.", 0),
    ofOpen(left, sql`${due} < ${day.d60} and ${due} >= ${day.d90}`),
  ),
  days_over_90_minor: field(minor("Of it: overdue by more than 90 days.", 0), ofOpen(left, sql`${due} < ${day.d90}`)),
  oldest_due_on: field(
    dateField.nullable().meta({ description: "When the oldest of these invoices was or is due." }),
    ofOpen(sql`min(${due})`, all),
  ),
  on_account_minor: field(
    minor("Paid and not used: payments on account, and what credit notes have left.", 0),
    sql`${ofOpen(left, all)} - ${balances.balance_minor}`,
  ),
});
