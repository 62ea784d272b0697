import { eq } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import type { Reader } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import type { Revalidation } from "./assess.ts";
import { assessed } from "./flown.queries.ts";
import { revalidationNotices as notices } from "./revalidation.tables.ts";

type NoticeId = typeof notices.$inferSelect.id;

/** Returns what is missing as of now of what a person was to be told; undefined if nothing is any more. */
export async function missingIn(reader: Reader<"tenant">, id: string, now: Instant): Promise<Revalidation | undefined> {
  const [notice] = await reader
    .select()
    .from(notices)
    .where(eq(notices.id, id as NoticeId));
  if (notice === undefined) return undefined;
  const [person] = await assessed(reader, [notice.person_id], await today(reader, now));
  // Of a rating that was made valid anew meanwhile, nothing is missing yet. The day of an LAPL moves with each flight.
  const isOf = ({ kind, until }: Revalidation) =>
    kind === notice.kind && until !== null && (kind === "lapl_a" || until === notice.until);
  return person?.items.find((item) => isOf(item) && item.missing.length > 0);
}
