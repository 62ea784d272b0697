/** Control database: what organizations offer, and who applies for it. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { ApplicationId, OpportunityId, OrgId, UserId } from "../../core/ids.ts";
import { organizations, users } from "../../identity/identity.tables.ts";
import { stamps } from "../../storage/stamps.ts";

export const opportunityKinds = ["job", "hour_building", "shared_flight", "instructor_wanted"] as const;
export const opportunityStatuses = ["draft", "published", "closed"] as const;
export const applicationStatuses = ["submitted", "shortlisted", "accepted", "rejected", "withdrawn"] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];
export const sides = ["applicant", "organization"] as const;
export type Side = (typeof sides)[number];

const ofOrganization = () =>
  text()
    .$type<OrgId>()
    .notNull()
    .references(() => organizations.id);

/** A literal, since SQLite uses a partial index only for one. */
export const isPublished = sql.raw("status = 'published'");

export const opportunities = sqliteTable(
  "opportunities",
  {
    id: text().$type<OpportunityId>().primaryKey(),
    org_id: ofOrganization(),
    kind: text({ enum: opportunityKinds }).notNull(),
    /** As stored: a published one counts as closed from `closes_at` on. */
    status: text({ enum: opportunityStatuses }).notNull(),
    title: text().notNull(),
    description: text().notNull(),
    place: text(),
    /** ISO 3166-1. */
    country: text().notNull(),
    starts_on: text().$type<LegalDate>(),
    ends_on: text().$type<LegalDate>(),
    expires_on: text().$type<LegalDate>().notNull(),
    /** The end of `expires_on` where the organization is. */
    closes_at: text().$type<Instant>().notNull(),
    compensation: text(),
    requirements: text(),
    published_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [
    index("opportunities_list").on(table.org_id, table.id),
    index("opportunities_status").on(table.org_id, table.status, table.id),
    index("opportunities_kind").on(table.org_id, table.kind, table.id),
    index("opportunities_open").on(table.closes_at, table.id).where(isPublished),
    index("opportunities_open_kind").on(table.kind, table.closes_at, table.id).where(isPublished),
    index("opportunities_open_country").on(table.country, table.closes_at, table.id).where(isPublished),
    index("opportunities_open_place").on(table.place, table.closes_at, table.id).where(isPublished),
  ],
);

export const applications = sqliteTable(
  "applications",
  {
    id: text().$type<ApplicationId>().primaryKey(),
    opportunity_id: text()
      .$type<OpportunityId>()
      .notNull()
      .references(() => opportunities.id),
    /** The opportunity's. */
    org_id: ofOrganization(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    status: text({ enum: applicationStatuses }).notNull(),
    message: text().notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex("applications_once").on(table.opportunity_id, table.user_id),
    index("applications_received").on(table.org_id, table.id),
    index("applications_received_status").on(table.org_id, table.status, table.id),
    index("applications_own").on(table.user_id, table.id),
    index("applications_own_status").on(table.user_id, table.status, table.id),
  ],
);

/** Each status that an application had, from the first on. */
export const applicationMoves = sqliteTable(
  "application_moves",
  {
    application_id: text()
      .$type<ApplicationId>()
      .notNull()
      .references(() => applications.id, { onDelete: "cascade" }),
    /** Counted from 1. */
    number: integer().notNull(),
    status: text({ enum: applicationStatuses }).notNull(),
    at: text().$type<Instant>().notNull(),
    side: text({ enum: sides }).notNull(),
    user_id: text().$type<UserId>().notNull(),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.application_id, table.number] })],
);
