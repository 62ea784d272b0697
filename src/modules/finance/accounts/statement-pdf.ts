/** The columns of a statement on paper. */
import type { LegalDate } from "../../../core/dates.ts";
import { decimalOf, placesOf } from "../../../core/money.ts";
import type { Book, Column } from "../../logbooks/pdf/book-pdf.ts";
import type { PostingKind } from "../ledger.tables.ts";
import type { StatementEntry } from "./accounts.schemas.ts";

type StatementColumn = Column<"amount_minor", StatementEntry>;

const names: Record<PostingKind, string> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  void: "Cancellation",
  payment: "Payment",
  refund: "Refund",
};

const text = (name: string, width: number, cell: StatementColumn["cell"]): StatementColumn => ({
  ...{ group: "", name, width, cell },
});

const columnsIn = (currency: string, amount: (minor: number) => string): readonly StatementColumn[] => [
  text("Date", 80, ({ on }) => on),
  text("For", 120, ({ posting }) => names[posting]),
  text("Document", 130, ({ document_number }) => document_number ?? ""),
  text("Payment", 236, ({ method, reference }) => [method?.replace("_", " "), reference].filter(Boolean).join(": ")),
  {
    ...text(`Amount, ${currency}`, 110, ({ amount_minor }) => amount(amount_minor)),
    isNumber: true,
    total: ({ amount_minor }) => amount(amount_minor),
  },
  { ...text(`Balance, ${currency}`, 110, ({ balance_minor }) => amount(balance_minor)), isNumber: true },
];

interface Stated {
  /** The name of the school. */
  school: string;
  from?: LegalDate | undefined;
  to?: LegalDate | undefined;
  currency: string;
  opening_balance_minor: number;
  closing_balance_minor: number;
  now: Date;
}

export const statementFor = (
  { name }: { name: string },
  { school, from, to, currency, opening_balance_minor, closing_balance_minor, now }: Stated,
): Omit<Book<"amount_minor", StatementEntry>, "count" | "read"> => {
  const amount = (minor: number) => decimalOf(minor, placesOf(currency));
  return {
    title: "Statement of account",
    subject: `${name}, account with ${school}`,
    note: [
      [from && `From ${from}`, to && `before ${to}`].filter(Boolean).join(", ") || "All entries",
      `opening balance ${amount(opening_balance_minor)} ${currency}`,
      `closing balance ${amount(closing_balance_minor)} ${currency}`,
      "a negative balance is owed to the school",
    ].join("; "),
    columns: columnsIn(currency, amount),
    now,
  };
};
