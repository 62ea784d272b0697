import { and, asc, eq, lte, ne } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import { mails } from "../notifications.tables.ts";

type TenantReader = Reader<"tenant">;
export type MailRow = typeof mails.$inferSelect;

/** Returns when the next mail is due. */
export async function nextMail(reader: TenantReader): Promise<Instant | null> {
  const [first] = await reader.select({ at: mails.due_at }).from(mails).orderBy(asc(mails.due_at)).limit(1);
  return first?.at ?? null;
}

const oldestFirst = [asc(mails.due_at), asc(mails.id)] as const;

/** Returns due rows that stand for all who manage such things. */
export const dueToManagers = (reader: TenantReader, now: Instant): Promise<MailRow[]> =>
  reader
    .select()
    .from(mails)
    .where(and(lte(mails.due_at, now), eq(mails.recipient, "managers")))
    .orderBy(...oldestFirst)
    .limit(20);

/** Returns due mails to one recipient each. */
export const dueMails = (reader: TenantReader, now: Instant, limit: number): Promise<MailRow[]> =>
  reader
    .select()
    .from(mails)
    .where(and(lte(mails.due_at, now), ne(mails.recipient, "managers")))
    .orderBy(...oldestFirst)
    .limit(limit);
