import { and, asc, eq, gt, lte, ne, or } from "drizzle-orm";
import { hours, type Instant, latestPlanned, minutes } from "../../core/clock.ts";
import type { Reader } from "../../storage/store.ts";
import { mails } from "./mails.tables.ts";

type TenantReader = Reader<"tenant">;
export type MailRow = typeof mails.$inferSelect;

/** The waiting times after failed attempts. After one more failure the mail is given up. */
export const retries = [minutes(5), hours(1), hours(6), hours(24)];
export const longestRetry = Math.max(...retries);

/** Returns when the next mail is due. */
export async function nextMail(reader: TenantReader): Promise<Instant | null> {
  const [first] = await reader.select({ at: mails.due_at }).from(mails).orderBy(asc(mails.due_at)).limit(1);
  return first?.at ?? null;
}

/** Also a retry that was planned while the clock was ahead. */
const isDue = (now: Instant) => or(lte(mails.due_at, now), gt(mails.due_at, latestPlanned(now, longestRetry)));

/** Returns due rows that stand for all who manage such things. */
export const dueToManagers = (reader: TenantReader, now: Instant): Promise<MailRow[]> =>
  reader
    .select()
    .from(mails)
    .where(and(isDue(now), eq(mails.recipient, "managers")))
    .limit(20);

/** Returns due mails to one recipient each. */
export const dueMails = (reader: TenantReader, now: Instant, limit: number): Promise<MailRow[]> =>
  reader
    .select()
    .from(mails)
    .where(and(isDue(now), ne(mails.recipient, "managers")))
    .orderBy(asc(mails.due_at))
    .limit(limit);
