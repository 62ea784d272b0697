/** Tenant database: mails that wait to be sent. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { Id, PersonId, UserId } from "../../core/ids.ts";
import { people } from "../people/people.tables.ts";
import { aircraftAlerts, invoiceAlerts, mailKinds, planningAlerts, recordAlerts } from "./mails.values.ts";

/** `managers` is replaced by a row for each of them (`member`) before it is sent. */
const recipients = ["person", "managers", "member"] as const;

/**
 * One row for each mail that is not sent yet. It has ids only: the address and the text are read when it is sent, so no
 * address is stored, and a mail about something that has changed since is not sent.
 */
export const mails = sqliteTable(
  "mails",
  {
    id: text().$type<Id<"mail">>().primaryKey(),
    kind: text({ enum: mailKinds }).notNull(),
    alert: text({ enum: [...recordAlerts, ...aircraftAlerts, ...planningAlerts, ...invoiceAlerts] }).notNull(),
    /** The record, the maintenance item, the work order, the aircraft, the session, the wish or the invoice. */
    subject_id: text().notNull(),
    /** Of a mail about several sessions: their ids. */
    session_ids: text({ mode: "json" }).$type<string[]>(),
    /** To a person who takes part no longer: the time of the session that they know. */
    former_start_at: text().$type<Instant>(),
    former_end_at: text().$type<Instant>(),
    /** The person whose record it is, or who takes part; null for maintenance. */
    person_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    recipient: text({ enum: recipients }).notNull(),
    /** The member, if `recipient` is `member`. */
    user_id: text().$type<UserId>(),
    /** The number of failed attempts. */
    attempts: integer().notNull(),
    /** When the next attempt is due. */
    due_at: text().$type<Instant>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    /** The `traceparent` of the request or the job that caused it. Its attempts belong to this trace. */
    traceparent: text(),
  },
  (table) => [index("mails_due").on(table.due_at, table.id), index("mails_subject").on(table.subject_id)],
);
