import { sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { currentTrace } from "../../core/current-trace.ts";
import { type Id, newIdAt, type PersonId } from "../../core/ids.ts";
import { traceparentOf } from "../../core/trace.ts";
import { insertRow } from "../../storage/insert-row.ts";
import type { Tx } from "../../storage/store.ts";
import { mails } from "./mails.tables.ts";
import type { MailAlert, MailKind, PlanningAlert } from "./mails.values.ts";

export type SessionAlert = Exclude<PlanningAlert, "time_free">;

interface About {
  kind: MailKind;
  alert: MailAlert;
  /** The record, the maintenance item, the work order, the aircraft, the session or the wish. */
  subject_id: string;
}

interface AboutSessions extends About {
  /** If it is about several. */
  session_ids?: string[];
  former_start_at?: Instant;
  former_end_at?: Instant;
}

/**
 * Posting: queues the mails about something that has happened, in the same transaction: to the person whom it concerns, and
 * to the members who manage such things. They replace mails about the same subject that wait still. Does nothing if the
 * installation sends no mail.
 */
export async function queueMails(
  tx: Tx<"tenant">,
  { person_id, ...about }: About & { person_id?: PersonId },
): Promise<void> {
  if (!tx.sendsMail) return;
  await tx.each(removeAll, [{ subject_id: about.subject_id, kind: about.kind }]);
  if (person_id !== undefined) await queue(tx, "person", person_id, about);
  await queue(tx, "managers", person_id ?? null, about);
}

/** Posting: as `queueMails`, to one person and nobody else. A mail about several sessions is replaced by none. */
export async function queueMailTo(tx: Tx<"tenant">, person_id: PersonId, about: AboutSessions): Promise<void> {
  if (!tx.sendsMail) return;
  const { subject_id, kind } = about;
  await tx.each(removeOne, [{ subject_id, kind, person_id }]);
  await queue(tx, "person", person_id, about);
}

const removeAll = sql`delete from ${mails}
  where ${mails.subject_id} = ${sql.placeholder("subject_id")} and ${mails.kind} = ${sql.placeholder("kind")}`;
const removeOne = sql`${removeAll} and ${mails.person_id} = ${sql.placeholder("person_id")} and ${mails.session_ids} is null`;

async function queue(
  tx: Tx<"tenant">,
  recipient: "person" | "managers",
  person_id: PersonId | null,
  about: AboutSessions,
): Promise<void> {
  const id: Id<"mail"> = newIdAt(tx.now);
  const trace = currentTrace();
  const traceparent = trace === undefined ? null : traceparentOf(trace);
  const waiting = { attempts: 0, due_at: tx.now, created_at: tx.now, traceparent };
  await insertRow(tx, mails, { id, ...about, person_id, recipient, user_id: null, ...waiting });
}
