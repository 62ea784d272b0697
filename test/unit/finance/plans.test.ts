/** Lists of the money are read in the order of an index. */
import { expect, test } from "bun:test";
import type { Instant } from "../../../src/core/clock.ts";
import type { Cursor } from "../../../src/core/cursor.ts";
import type { LegalDate } from "../../../src/core/dates.ts";
import { standingOf } from "../../../src/modules/finance/accounts/standing.queries.ts";
import { listStatement } from "../../../src/modules/finance/accounts/statement.queries.ts";
import { listAging } from "../../../src/modules/finance/aging/aging.queries.ts";
import { listUnbilled } from "../../../src/modules/finance/billing/billing.queries.ts";
import { listCharges } from "../../../src/modules/finance/charges/charges.queries.ts";
import type { ChargeFilter } from "../../../src/modules/finance/charges/charges.schemas.ts";
import { listInvoiceLines, listJournal } from "../../../src/modules/finance/exports/exports.queries.ts";
import { type InvoiceFilter, listInvoices } from "../../../src/modules/finance/invoices/invoices.queries.ts";
import { listPayments, type PaymentFilter } from "../../../src/modules/finance/payments/payments.queries.ts";
import type { Reader } from "../../../src/storage/store.ts";
import { areInOrderOfAnIndex, type Case, from, id, newStorage, owner, page } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("charges and unbilled flights are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const from = "2026-06-01" as LegalDate;
  const person_id = id<"person">();
  const by: [RegExp, ChargeFilter][] = [
    [/finance_charges USING INDEX finance_charges_on\b/, {}],
    [/finance_charges USING INDEX finance_charges_on \(on>\?/, { from, to: from }],
    [/finance_charges USING INDEX finance_charges_status \(status=\?/, { status: "open", from }],
    [/finance_charges USING INDEX finance_charges_person \(person_id=\?/, { person_id, to: from }],
    [
      /finance_charges USING INDEX finance_charges_person_status \(person_id=\? AND status=\?/,
      { person_id, status: "open" },
    ],
    [
      /finance_charges USING INDEX finance_charges_flight \(flight_id=\?/,
      { flight_id: id(), person_id, status: "open" },
    ],
  ];
  await areInOrderOfAnIndex(tenant, [
    ...by.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-on,id", from, id()],
        (reader, page) => listCharges(reader, owner, { ...page, ...filter }),
      ],
    ),
    [/finance_flights USING INDEX finance_flights_unbilled\b/, ["on,flight_id", from, id()], listUnbilled],
  ]);
});

test("statements, exports and the aging are read in the order of an index", async () => {
  const { tenant } = await newStorage();
  const period = { from: "2026-06-01" as LegalDate, to: "2026-07-01" as LegalDate };
  const whose = { person_id: id<"person">(), currency: "EUR" };
  const place: Cursor = ["on,entry", "2026-06-14", 1];
  const line: Cursor = ["issued_on,id,position", from, id(), 1];
  const owed: Cursor = ["-owed_minor,person_id,currency", 1, id(), "EUR"];
  const named: Cursor = ["name,person_id,currency", "Ada", id(), "EUR"];
  await areInOrderOfAnIndex(tenant, [
    [
      /finance_entries USING INDEX finance_entries_person \(person_id=\? AND account=\?/,
      place,
      (reader, page) => listStatement(reader, { ...page, ...whose }),
    ],
    [
      /finance_entries USING INDEX finance_entries_person \(person_id=\? AND account=\? AND on>\?/,
      place,
      (reader, page) => listStatement(reader, { ...page, ...whose, ...period }),
    ],
    [/finance_entries USING INDEX finance_entries_on\b/, place, listJournal],
    [
      /finance_entries USING INDEX finance_entries_on \(on>\?/,
      place,
      (reader, page) => listJournal(reader, { ...page, ...period }),
    ],
    [/finance_invoices USING INDEX finance_invoices_issued\b/, line, listInvoiceLines],
    [
      /finance_invoices USING INDEX finance_invoices_issued \(<expr>>\?/,
      line,
      (reader, page) => listInvoiceLines(reader, { ...page, ...period }),
    ],
    [
      /finance_balances USING (COVERING )?INDEX finance_balances_owed\b/,
      owed,
      (reader, page) => listAging(reader, page, new Date(from)),
    ],
    [
      /people USING (COVERING )?INDEX people_name\b/,
      named,
      (reader, page) => listAging(reader, { ...page, order: "name" }, new Date(from)),
    ],
  ]);
  const indexes = async (query: (reader: Reader<"tenant">) => Promise<unknown>) => {
    const plan = await tenant.read((reader) => planOf(reader, query));
    return plan.filter((line) => /^(SCAN|SEARCH) finance_/.test(line));
  };
  const open = "SEARCH finance_invoices USING INDEX finance_invoices_open (person_id=? AND currency=?";
  for (const line of (await indexes((reader) => listAging(reader, page, new Date(from)))).slice(1))
    expect(line).toStartWith(open);
  expect(await indexes((reader) => standingOf(reader, whose.person_id))).toEqual([
    "SEARCH finance_balances USING INDEX sqlite_autoindex_finance_balances_1 (person_id=?)",
    "SEARCH finance_charges USING INDEX finance_charges_person_status (person_id=? AND status=?)",
    "SEARCH finance_invoices USING INDEX finance_invoices_person (person_id=? AND <expr>=?)",
    "SEARCH finance_invoices USING INDEX finance_invoices_open (person_id=?)",
  ]);
});

test("invoices and payments are read in the order of an index, for all filters", async () => {
  const { tenant } = await newStorage();
  const at = "2026-06-01T00:00:00.000Z" as Instant;
  const on = "2026-06-01" as LegalDate;
  const person_id = id<"person">();
  const by: [RegExp, InvoiceFilter][] = [
    [/finance_invoices USING INDEX finance_invoices_issued\b/, {}],
    [/finance_invoices USING INDEX finance_invoices_issued \(/, { from: at, to: at }],
    [/finance_invoices USING INDEX finance_invoices_status \(status=\?/, { status: "sent", kind: "invoice", from: at }],
    [/finance_invoices USING INDEX finance_invoices_kind \(kind=\?/, { kind: "credit_note" }],
    [/finance_invoices USING INDEX finance_invoices_person \(person_id=\?/, { person_id, status: "sent", from: at }],
  ];
  const payments: [RegExp, PaymentFilter][] = [
    [/finance_payments USING INDEX finance_payments_received\b/, { from: on }],
    [/finance_payments USING INDEX finance_payments_person \(person_id=\?/, { person_id, to: on }],
  ];
  await areInOrderOfAnIndex(tenant, [
    ...by.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-issued_on,id", at, id()],
        (reader, page) => listInvoices(reader, owner, { ...page, ...filter }),
      ],
    ),
    ...payments.map(
      ([access, filter]): Case<"tenant"> => [
        access,
        ["-received_on,id", on, id()],
        (reader, page) => listPayments(reader, owner, { ...page, ...filter }),
      ],
    ),
  ]);
});
