import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, part } from "../../../storage/shape.ts";
import { method } from "../finance.fields.ts";
import { financeRefunds as table } from "../payments.tables.ts";

const refund = part(
  columns(table, {
    id: idOf<"refund">(),
    amount_minor: z.int().meta({ examples: [10_000] }),
    method,
    refunded_on: dateField,
    reason: z.string().meta({ examples: ["Paid twice."] }),
  }),
);

/** The refunds of a payment or of a credit note, the oldest first. */
export const refundsOf = (areOfIt: SQL) =>
  field(
    z.array(refund.schema),
    sql`(select json_group_array(json(ordered.value)) from (select ${refund.json} as value from ${table}
      where ${areOfIt} order by ${table.id}) as ordered)`,
  );
