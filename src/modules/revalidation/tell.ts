/** Mails about what is missing for a revalidation, a month before it is too late to begin. */
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../core/async.ts";
import { days, isToCome } from "../../core/clock.ts";
import { toLegalDate } from "../../core/dates.ts";
import { newIdAt, type PersonId } from "../../core/ids.ts";
import type { TenantContext } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { queueMails } from "../mails/queue-mails.ts";
import { type Revalidation, tellOn } from "./assess.ts";
import { assessed } from "./flown.queries.ts";
import { nextLook } from "./next-look.queries.ts";
import { revalidationLooks as looks, revalidationNotices as notices } from "./revalidation.tables.ts";
import { concerned } from "./revalidations.queries.ts";

/** A school is looked through once a week: flights only put off the day of a mail. */
const everyDays = 7;
/** Nobody is told twice about the same within this time, whatever the last day is since. */
const againAfterDays = 60;

/** Longer ahead is no next look: it was stored while the clock was ahead. */
export const longestAhead = days(everyDays + 1);

/** Looks through the school if it is time to. @returns whether it did, as a number, and how many were told */
export async function tellMissing({ tenant, clock }: TenantContext): Promise<{ looks: number; people: number }> {
  const [at, now] = [await tenant.read(nextLook), clock.now()];
  if (at === null || isToCome(at, now, longestAhead)) return { looks: 0, people: 0 };
  const on = await tenant.read((reader) => today(reader, clock.now()));
  let told = 0;
  let after: PersonId | "" = "";
  for (;;) {
    const ids: PersonId[] = await tenant.read((reader) => concerned(reader, after));
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
    const found = await tenant.read((reader) => assessed(reader, ids, on));
    const due = found.flatMap(({ id, items }) => items.filter(isDue(on)).map((item) => ({ id, item })));
    if (due.length > 0)
      told += await tenant.write(async (tx) => {
        tx.unseen();
        let count = 0;
        for (const { id, item } of due) if (await tell(tx, id, item, on)) count += 1;
        return count;
      });
    await yieldToEventLoop();
  }
  const next_on = toLegalDate(on.add({ days: everyDays }));
  await tenant.write(async (tx) => {
    tx.unseen();
    await tx.insert(looks).values({ id: 1, next_on }).onConflictDoUpdate({ target: looks.id, set: { next_on } });
  });
  return { looks: 1, people: told };
}

const isDue =
  (on: Temporal.PlainDate) =>
  (item: Revalidation): boolean => {
    const day = tellOn(item);
    return day !== null && day <= toLegalDate(on);
  };

async function tell(tx: Tx<"tenant">, person_id: PersonId, { kind, until }: Revalidation, on: Temporal.PlainDate) {
  if (until === null) return false;
  const told_on = toLegalDate(on);
  const since = toLegalDate(on.subtract({ days: againAfterDays }));
  const [row] = await tx
    .insert(notices)
    .values({ id: newIdAt<"revalidation_notice">(tx.now), person_id, kind, until, told_on })
    .onConflictDoUpdate({
      target: [notices.person_id, notices.kind],
      set: { until, told_on },
      setWhere: sql`${notices.until} <> ${until} and ${notices.told_on} <= ${since}`,
    })
    .returning({ id: notices.id });
  if (row === undefined) return false;
  await queueMails(tx, { kind: "compliance_expiring", alert: "revalidation_due", subject_id: row.id, person_id });
  return true;
}
