import { z } from "zod";
import { languages } from "../../../core/languages.ts";
import { email, idOf, text } from "../../../http/fields.ts";
import { changeOf } from "../../../storage/columns.ts";
import { audiences } from "../finance.tables.ts";
import { address, optional, vatId } from "../settings/address.ts";

const fields = {
  audience: z
    .enum(audiences)
    .nullable()
    .meta({
      description:
        "Which prices they pay. Null: `student` by their types, else `member` with an account, else `guest`.",
      examples: ["member"],
    }),
  company: text(160)
    .nullable()
    .meta({ description: "Invoices name it before the person.", examples: ["Berg GmbH"] }),
  vat_id: optional(20, "DE987654321"),
  register_number: text(60)
    .nullable()
    .meta({
      description:
        "In the register of companies or of societies. With reverse charge, it identifies a buyer without VAT ID (BR-AE-02).",
      examples: ["FN 123456 a"],
    }),
  buyer_reference: text(80)
    .nullable()
    .meta({ description: "For e-invoices (EN 16931, BT-10).", examples: ["04011000-12345-67"] }),
  customer_number: text(40)
    .nullable()
    .meta({
      description: "The school's number for them, by which an accounting program knows the debtor.",
      examples: ["10042"],
    }),
  language: z
    .enum(languages)
    .nullable()
    .meta({
      description:
        "Of their invoices, statements and mails about these. Null: that of the person, else of the settings.",
      examples: ["de"],
    }),
  email: email.nullable().meta({ description: "For invoices, instead of the person's.", examples: ["ap@example.com"] }),
  ...address,
};

export const CustomerChange = changeOf("CustomerChange", { ...fields, vat_id: vatId });
export type CustomerChange = z.infer<typeof CustomerChange>;

export { fields as customerFields };

export const CustomerRef = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });
