import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type ChangeKind, isChanged, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { flightCrew, flights } from "../flights/flights.tables.ts";
import { people } from "../people/people.tables.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import { financeCharges, financeFlights, financePackages } from "./finance.tables.ts";
import { financeInvoices } from "./invoices.tables.ts";
import { financePayments } from "./payments.tables.ts";

const ofAccountant = seenWith("finance:read");

/** As `visibleTo` of `own-money.queries.ts`. */
const ofPayer = (
  kind: string,
  table: SQLiteTable & Record<"id" | "person_id", SQLiteColumn>,
  where?: SQL,
): ChangeKind => ({
  kind,
  seenBy: [
    ...ofAccountant,
    ownSeenWith(["finance:own"], ofPerson({ table, id: table.id, person: table.person_id }, where)),
  ],
});

const payer = {
  table: financeFlights,
  id: financeFlights.flight_id,
  person: sql`coalesce(${financeFlights.payer_id}, ${financeFlights.named_payer_id})`,
};

/** The payer drafted the flight, or is in its crew: the flights of others are not shown to them. */
const isOfPayer = sql`(
  exists (select 1 from ${flights} where ${flights.id} = ${financeFlights.flight_id} and ${flights.created_by} = ${people.user_id})
  or exists (select 1 from ${flightCrew}
    where ${flightCrew.flight_id} = ${financeFlights.flight_id} and ${flightCrew.person_id} = ${people.id}))`;

export const financeChanges: readonly ChangeKind[] = [
  { kind: "finance_rate", seenBy: ofAccountant },
  { kind: "finance_settings", seenBy: ofAccountant },
  ofPayer("finance_charge", financeCharges),
  ofPayer("finance_package", financePackages),
  ofPayer("finance_payment", financePayments),
  // Members see what was sent to them.
  ofPayer("finance_invoice", financeInvoices, sql`${financeInvoices.number} is not null`),
  {
    // Its id is that of the person.
    kind: "finance_customer",
    seenBy: [
      ...ofAccountant,
      ownSeenWith(
        ["finance:own"],
        sql`select ${people.id}, ${people.user_id}, null from ${people} where ${isChanged(people.id)}`,
      ),
    ],
  },
  {
    // Whether and to whom a flight is charged. Its id is that of the flight.
    kind: "finance_flight",
    seenBy: [
      ...ofAccountant,
      ownSeenWith(["finance:own", "flights:read"], ofPerson(payer)),
      ownSeenWith(["finance:own", "flights:read_own"], ofPerson(payer, isOfPayer)),
    ],
  },
];
