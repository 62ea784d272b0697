/**
 * Tenant database: what the school charges, and who owes it. Money is in minor units, rates of VAT in hundredths of a percent,
 * quantities in hundredths of their unit. No column is a float.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { AircraftId, EnrollmentId, FlightId, Id, PersonId, ProgramId, UserId } from "../../core/ids.ts";
import { languages } from "../../core/languages.ts";
import { stamps } from "../../storage/stamps.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { flights } from "../flights/flights.tables.ts";
import { people } from "../people/people.tables.ts";
import { trainingEnrollments, trainingPrograms } from "../training/training.tables.ts";
import { vatCategories } from "./finance.values.ts";

export type RateId = Id<"rate">;
export type ChargeId = Id<"charge">;
export type PackageId = Id<"package">;

export const audiences = ["member", "student", "guest"] as const;
export type Audience = (typeof audiences)[number];
export const rateKinds = ["aircraft", "instructor", "landing", "fuel_surcharge", "fuel", "program"] as const;
export type RateKind = (typeof rateKinds)[number];
export const fuels = ["wet", "dry"] as const;
export const chargeKinds = [...rateKinds, "package", "manual"] as const;
/** `offset`: it and its reversal cancel each other out, and neither is invoiced. `package`: drawn from a package. */
export const chargeStatuses = ["open", "invoiced", "offset", "package"] as const;
export const chargeUnits = ["minute", "landing", "litre", "piece"] as const;
/** `pending`: not approved. `free`: nobody pays. `reversed`: so was the flight. */
export const billingStatuses = ["pending", "charged", "unbilled", "waived", "free", "reversed"] as const;
export const missingParts = [
  "payer",
  "times",
  "counter_reading",
  "aircraft_rate",
  "instructor_rate",
  "landing_rate",
  "fuel_surcharge_rate",
  "fuel_rate",
] as const;
export type MissingPart = (typeof missingParts)[number];
export const packageUses = ["aircraft", "instructor"] as const;

const aPerson = () =>
  text()
    .$type<PersonId>()
    .references(() => people.id);
const anAircraft = () =>
  text()
    .$type<AircraftId>()
    .references(() => aircraft.id);

export const vat = {
  vat_category: text({ enum: vatCategories }).notNull(),
  vat_rate: integer().notNull(),
  /** Why no VAT is charged. */
  vat_reason: text(),
  /** The same as a code of VATEX. */
  vat_reason_code: text(),
};

/** The units of the seller's national currency for one unit of another, on some days. */
export interface ExchangeRate {
  currency: string;
  rate: string;
  valid_from: LegalDate;
  /** Null: without end. */
  valid_until: LegalDate | null;
}

export const financeSettings = sqliteTable("finance_settings", {
  id: integer().primaryKey(),
  legal_name: text(),
  street: text(),
  postcode: text(),
  city: text(),
  country: text(),
  email: text(),
  phone: text(),
  vat_id: text(),
  tax_number: text(),
  register_number: text(),
  iban: text(),
  bic: text(),
  ...vat,
  /** § 19 UStG: the VAT is that of `smallBusinessVat`. */
  small_business: integer({ mode: "boolean" }).notNull().default(false),
  payment_days: integer().notNull(),
  /** On which days after an invoice was due its reminders are sent. */
  reminder_days: text({ mode: "json" }).$type<number[]>().notNull().default([7, 21, 35]),
  invoice_series: text().notNull(),
  credit_note_series: text().notNull(),
  /** Of documents and mails to customers who have none of their own. */
  language: text({ enum: languages }).notNull().default("en"),
  /** Of the rule `balance_below_limit` of the clearance: what an account must have. */
  balance_limit_minor: integer().notNull().default(0),
  /** Of other currencies than that of `country`. */
  exchange_rates: text({ mode: "json" }).$type<ExchangeRate[]>().notNull().default([]),
  updated_at: text().$type<Instant>().notNull(),
});

/** How people are charged, where it differs from what follows from their person. */
export const financeCustomers = sqliteTable(
  "finance_customers",
  {
    /** The person's. */
    id: text()
      .$type<PersonId>()
      .primaryKey()
      .references(() => people.id),
    audience: text({ enum: audiences }),
    company: text(),
    vat_id: text(),
    /** In the register of companies or of societies. */
    register_number: text(),
    buyer_reference: text(),
    /** The school's number for them, by which accounting programs know the debtor. */
    customer_number: text(),
    /** Null: that of the settings. */
    language: text({ enum: languages }),
    email: text(),
    street: text(),
    postcode: text(),
    city: text(),
    country: text(),
    ...stamps,
  },
  (table) => [uniqueIndex("finance_customers_number").on(table.customer_number)],
);

/** `nullAsEmpty` for indexes, whose expressions must not name a table. */
export const ratePerson = sql`case when person_id is null then '' else person_id end`;

/** Prices, net. A column for whom or for what that is null: for all. */
export const financeRates = sqliteTable(
  "finance_rates",
  {
    id: text().$type<RateId>().primaryKey(),
    kind: text({ enum: rateKinds }).notNull(),
    /** Of an aircraft: whether its price includes the fuel. */
    fuel: text({ enum: fuels }),
    aircraft_id: anAircraft(),
    icao_type: text(),
    instructor_id: aPerson(),
    place: text(),
    program_id: text()
      .$type<ProgramId>()
      .references(() => trainingPrograms.id),
    audience: text({ enum: audiences }),
    person_id: aPerson(),
    /** For the lines; null: a usual text. */
    description: text(),
    price_minor: integer().notNull(),
    currency: text().notNull(),
    ...vat,
    valid_from: text().$type<LegalDate>().notNull(),
    valid_until: text().$type<LegalDate>(),
    ...stamps,
  },
  (table) => [
    index("finance_rates_from").on(table.valid_from, table.id),
    index("finance_rates_choice").on(table.kind, ratePerson, table.valid_from),
  ],
);

/** Hours that a person bought ahead. */
export const financePackages = sqliteTable(
  "finance_packages",
  {
    id: text().$type<PackageId>().primaryKey(),
    person_id: aPerson().notNull(),
    name: text().notNull(),
    uses: text({ enum: packageUses }).notNull(),
    aircraft_id: anAircraft(),
    icao_type: text(),
    /** The minutes, in hundredths. */
    quantity: integer().notNull(),
    /** `quantity` minus `returned` and what the charges with the status `package` have drawn. */
    remaining: integer().notNull(),
    /** What credit notes of its sale have taken back. */
    returned: integer().notNull().default(0),
    price_minor: integer().notNull(),
    currency: text().notNull(),
    ...vat,
    valid_from: text().$type<LegalDate>().notNull(),
    valid_until: text().$type<LegalDate>(),
    /** When its sale was reversed, or nothing but what was drawn was left of it. */
    voided_at: text().$type<Instant>(),
    /** The line of the credit note that left nothing. Null: its sale was reversed. */
    ended_by: text().$type<Id<"line">>(),
    ...stamps,
  },
  (table) => [
    index("finance_packages_person").on(table.person_id, table.id),
    check("finance_packages_remaining", sql`remaining between 0 and quantity`),
  ],
);

/** Literals, because SQLite uses a partial index only for the same condition. */
export const isUnbilled = sql`status = 'unbilled'`;
const isOpenOfFlight = sql`flight_id is not null and reverses_id is null and status = 'open'`;

export const financeCharges = sqliteTable(
  "finance_charges",
  {
    id: text().$type<ChargeId>().primaryKey(),
    person_id: aPerson().notNull(),
    kind: text({ enum: chargeKinds }).notNull(),
    status: text({ enum: chargeStatuses }).notNull(),
    flight_id: text()
      .$type<FlightId>()
      .references(() => flights.id),
    enrollment_id: text()
      .$type<EnrollmentId>()
      .references(() => trainingEnrollments.id),
    package_id: text()
      .$type<PackageId>()
      .references(() => financePackages.id),
    rate_id: text()
      .$type<RateId>()
      .references(() => financeRates.id),
    /** The invoice that it is on, from its draft on. No reference, because the tables of invoices refer to these. */
    invoice_id: text().$type<Id<"invoice">>(),
    /** The charge that it takes back. What a void credit note had reserved of it, another reversal takes back. */
    reverses_id: text().$type<ChargeId>(),
    /** The charge that a discount reduces. Null: of a negative price, it is a claim of its own. */
    reduces_id: text().$type<ChargeId>(),
    reason: text(),
    description: text().notNull(),
    /** In hundredths of the unit; negative in a reversal. */
    quantity: integer().notNull(),
    unit: text({ enum: chargeUnits }).notNull(),
    /** The price of `price_per` units; negative in a credit by hand. */
    unit_price_minor: integer().notNull(),
    price_per: integer().notNull(),
    currency: text().notNull(),
    ...vat,
    net_minor: integer().notNull(),
    on: text().$type<LegalDate>().notNull(),
    /** Null if the posting of a flight or an enrollment raised it. */
    created_by: text().$type<UserId>(),
    ...stamps,
  },
  (table) => [
    index("finance_charges_on").on(table.on, table.id),
    index("finance_charges_status").on(table.status, table.on, table.id),
    index("finance_charges_person").on(table.person_id, table.on, table.id),
    index("finance_charges_person_status").on(table.person_id, table.status, table.on, table.id),
    index("finance_charges_flight").on(table.flight_id, table.on, table.id),
    index("finance_charges_package").on(table.package_id, table.id).where(sql`${table.package_id} is not null`),
    index("finance_charges_invoice").on(table.invoice_id).where(sql`${table.invoice_id} is not null`),
    index("finance_charges_rate").on(table.rate_id, table.on),
    index("finance_charges_reverses").on(table.reverses_id).where(sql`${table.reverses_id} is not null`),
    index("finance_charges_reduces").on(table.reduces_id).where(sql`${table.reduces_id} is not null`),
    // A flight has one open charge of each kind: it is charged once. One that was sent may be credited, and billed again.
    uniqueIndex("finance_charges_once").on(table.flight_id, table.kind).where(isOpenOfFlight),
  ],
);

export type ChargeRow = typeof financeCharges.$inferSelect;

/** Whether and to whom flights are charged. */
export const financeFlights = sqliteTable(
  "finance_flights",
  {
    flight_id: text()
      .$type<FlightId>()
      .primaryKey()
      .references(() => flights.id),
    status: text({ enum: billingStatuses }).notNull(),
    /** Why a part of the flight could not be charged. */
    missing: text({ mode: "json" }).$type<MissingPart[]>().notNull(),
    /** The person named by a member. Null: the one who follows from the crew. */
    named_payer_id: aPerson(),
    /** Who pays. */
    payer_id: aPerson(),
    /** The day of off-block. Null before the approval. */
    on: text().$type<LegalDate>(),
    /** Why it is waived. */
    reason: text(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("finance_flights_unbilled").on(table.on, table.flight_id).where(isUnbilled),
    index("finance_flights_payer").on(table.payer_id),
    index("finance_flights_named_payer").on(table.named_payer_id).where(sql`${table.named_payer_id} is not null`),
  ],
);
