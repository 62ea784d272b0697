/** Postings: what becomes of a mail that is due. */
import { eq } from "drizzle-orm";
import { shift } from "../../core/clock.ts";
import { type Id, newIdAt, type UserId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { type MailRow, retries } from "./mails.queries.ts";
import { mails } from "./mails.tables.ts";

/** Replaces a mail to those who manage such things by one to each of them. */
export async function addressMail(tx: Tx<"tenant">, row: MailRow, members: readonly UserId[]): Promise<void> {
  for (const user_id of members) {
    const id: Id<"mail"> = newIdAt(tx.now);
    await tx.insert(mails).values({ ...row, id, recipient: "member", user_id });
  }
  await removeMail(tx, row);
}

/** Deletes a mail: it was sent, or is not needed any more. */
export async function removeMail(tx: Tx<"tenant">, { id }: MailRow): Promise<void> {
  await tx.delete(mails).where(eq(mails.id, id));
}

/** Waits for the next attempt, or gives the mail up after the last. @returns whether there is another */
export async function postponeMail(tx: Tx<"tenant">, row: MailRow): Promise<boolean> {
  const wait = retries[row.attempts];
  if (wait === undefined) {
    await removeMail(tx, row);
    return false;
  }
  const set = { attempts: row.attempts + 1, due_at: shift(tx.now, wait) };
  await tx.update(mails).set(set).where(eq(mails.id, row.id));
  return true;
}
