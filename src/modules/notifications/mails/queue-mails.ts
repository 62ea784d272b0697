import { and, eq } from "drizzle-orm";
import { type Id, newIdAt, type PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { type MailAlert, type MailKind, mails, type PlanningAlert } from "../notifications.tables.ts";

export type SessionAlert = Exclude<PlanningAlert, "time_free">;

interface About {
  kind: MailKind;
  alert: MailAlert;
  /** The record, the maintenance item, the work order, the aircraft, the session or the wish. */
  subject_id: string;
  /** Whose record it is. */
  person_id?: PersonId;
}

/**
 * Posting: queues the mails about something that has happened, in the same transaction: to the person whom it concerns, and
 * to the members who manage such things. They replace mails about the same subject that wait still. Does nothing if the
 * installation sends no mail.
 */
export async function queueMails(tx: Tx<"tenant">, { person_id, ...about }: About): Promise<void> {
  if (!tx.sendsMail) return;
  await tx.delete(mails).where(and(eq(mails.subject_id, about.subject_id), eq(mails.kind, about.kind)));
  const recipients = person_id === undefined ? (["managers"] as const) : (["person", "managers"] as const);
  for (const recipient of recipients) {
    const id: Id<"mail"> = newIdAt(tx.now);
    const waiting = { attempts: 0, due_at: tx.now, created_at: tx.now };
    await tx.insert(mails).values({ id, ...about, person_id: person_id ?? null, recipient, user_id: null, ...waiting });
  }
}

/** Posting: as `queueMails`, to some people and nobody else. */
export async function queueMailsTo(
  tx: Tx<"tenant">,
  people: readonly PersonId[],
  about: Omit<About, "person_id">,
): Promise<void> {
  if (!tx.sendsMail) return;
  const { subject_id, kind } = about;
  for (const person_id of people) {
    const isAbout = and(eq(mails.subject_id, subject_id), eq(mails.kind, kind), eq(mails.person_id, person_id));
    await tx.delete(mails).where(isAbout);
    const id: Id<"mail"> = newIdAt(tx.now);
    const waiting = { attempts: 0, due_at: tx.now, created_at: tx.now };
    await tx.insert(mails).values({ id, ...about, person_id, recipient: "person", user_id: null, ...waiting });
  }
}
