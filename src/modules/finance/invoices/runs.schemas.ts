import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import { currency } from "../finance.fields.ts";
import { invoiceKinds } from "../invoices.tables.ts";
import { lastDay as until } from "./invoices.schemas.ts";

const made = z.strictObject({
  person_id: idOf<"person">(),
  name: z.string().meta({ examples: ["Sam Student"] }),
  kind: z.enum(invoiceKinds).meta({ description: "What is given back is a credit note.", examples: ["invoice"] }),
  currency,
  charges: z.int().meta({ description: "How many charges are on it.", examples: [6] }),
  net_minor: z.int().meta({ examples: [93_000] }),
  vat_minor: z.int().meta({ examples: [17_670] }),
  gross_minor: z.int().meta({ examples: [110_670] }),
  invoice_id: idOf<"invoice">().nullable().meta({ description: "Null in a preview." }),
  refusal: z
    .strictObject({
      reason: z.string().meta({ examples: ["buyer_incomplete"] }),
      message: z.string(),
      fields: z
        .array(z.string())
        .meta({ description: "Which fields it lacks, if that is why.", examples: [["buyer.street"]] }),
    })
    .nullable()
    .meta({
      description: "Why it was not sent, and stays a draft. Null: it was sent, or should not be.",
      examples: [null],
    }),
});
export type Made = z.infer<typeof made>;

export const Run = z
  .strictObject({ invoices: z.array(made) })
  .meta({ id: "InvoiceRunResult", description: "One for each invoice, sorted by the persons' names." });

export const RunPreviewQuery = z.strictObject({ until });
