/** The columns of a statement on paper. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { amountIn, dateIn, moneyIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Book, Column } from "../../../pdf/book.ts";
import { textsOf } from "../texts/texts.ts";
import type { StatementEntry } from "./accounts.schemas.ts";

type StatementColumn = Column<"amount_minor", StatementEntry>;

const text = (name: string, width: number, cell: StatementColumn["cell"]): StatementColumn => ({
  group: "",
  name,
  width,
  cell,
});

function columnsIn(currency: string, language: Language): readonly StatementColumn[] {
  const { columns, postings, methods } = textsOf(language).statement;
  const amount = (minor: number) => amountIn(language, minor, currency);
  return [
    text(columns.date, 80, ({ on }) => dateIn(language, on)),
    text(columns.posting, 120, ({ posting }) => postings[posting]),
    text(columns.document, 130, ({ document_number }) => document_number ?? ""),
    text(columns.payment, 236, ({ method, reference }) =>
      [method && methods[method], reference].filter(Boolean).join(": "),
    ),
    {
      ...text(`${columns.amount}, ${currency}`, 110, ({ amount_minor }) => amount(amount_minor)),
      isNumber: true,
      total: ({ amount_minor }) => amount(amount_minor),
    },
    { ...text(`${columns.balance}, ${currency}`, 110, ({ balance_minor }) => amount(balance_minor)), isNumber: true },
  ];
}

interface Stated {
  /** The name of the school. */
  school: string;
  language: Language;
  from?: LegalDate | undefined;
  /** The day after the last. */
  to?: LegalDate | undefined;
  currency: string;
  opening_balance_minor: number;
  closing_balance_minor: number;
  now: Date;
}

export function statementFor(
  { name }: { name: string },
  { school, language, from, to, currency, opening_balance_minor, closing_balance_minor, now }: Stated,
): Omit<Book<"amount_minor", StatementEntry>, "count" | "read"> {
  const texts = textsOf(language);
  const { title, subject, period, opening, closing, sign, totals } = texts.statement;
  const money = (minor: number) => moneyIn(language, minor, currency);
  const last = to && toLegalDate(Temporal.PlainDate.from(to).subtract({ days: 1 }));
  return {
    language,
    words: { page: texts.document.page, totals },
    title,
    subject: subject(name, school),
    note: [
      period(from && dateIn(language, from), last && dateIn(language, last)),
      opening(money(opening_balance_minor)),
      closing(money(closing_balance_minor)),
      sign,
    ].join("; "),
    columns: columnsIn(currency, language),
    now,
  };
}
