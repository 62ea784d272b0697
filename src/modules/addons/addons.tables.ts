/** Control database: add-ons that organizations offer to others. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { ListingId, OrgId, UserId } from "../../core/ids.ts";
import { organizations } from "../../identity/identity.tables.ts";
import { stamps } from "../../storage/stamps.ts";

export const reviewStatuses = ["draft", "pending_review", "approved", "rejected"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

export const categories = [
  "accounting",
  "communication",
  "flight_planning",
  "maintenance",
  "reporting",
  "training",
  "other",
] as const;

/** A literal, since SQLite uses a partial index only for one. */
export const isApproved = sql.raw("review_status = 'approved'");

/** `nullAsEmpty` for the index, whose expression must not name a table. */
const submittedOrEmpty = sql`case when submitted_at is null then '' else submitted_at end`;

export const addonListings = sqliteTable(
  "addon_listings",
  {
    id: text().$type<ListingId>().primaryKey(),
    org_id: text()
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    slug: text().notNull().unique(),
    summary: text().notNull(),
    description: text().notNull(),
    category: text({ enum: categories }).notNull(),
    homepage_url: text().notNull(),
    support_email: text().notNull(),
    icon_url: text(),
    pricing: text(),
    event_types: text({ mode: "json" }).$type<string[]>().notNull(),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    review_status: text({ enum: reviewStatuses }).notNull(),
    /** What a reviewer judges: advances with each material change. */
    revision: integer().notNull().default(1),
    /** When it was last put into the queue of the reviewers. */
    submitted_at: text().$type<Instant>(),
    review_notes: text(),
    reviewed_by: text().$type<UserId>(),
    reviewed_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [
    index("addon_listings_list").on(table.org_id, table.id),
    index("addon_listings_list_status").on(table.org_id, table.review_status, table.id),
    index("addon_listings_queue").on(table.review_status, submittedOrEmpty, table.id),
    index("addon_listings_public").on(table.review_status, table.name, table.id),
    index("addon_listings_public_category").on(table.review_status, table.category, table.name, table.id),
  ],
);
