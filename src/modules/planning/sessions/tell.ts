import { eq } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { queueMailsTo, type SessionAlert } from "../../notifications/mails/queue-mails.ts";
import { type PlanningSessionId, planningResources } from "../planning.tables.ts";

/** Returns the instructor and the students. */
export async function participantsOf(tx: Tx<"tenant">, id: PlanningSessionId): Promise<PersonId[]> {
  const rows = await tx
    .select({ type: planningResources.type, id: planningResources.resource_id })
    .from(planningResources)
    .where(eq(planningResources.session_id, id));
  return rows.filter(({ type }) => type === "instructor" || type === "student").map(({ id }) => id as PersonId);
}

/** Posting: queues a mail to each who takes part, and a cancellation to those who did before. */
export async function tell(
  tx: Tx<"tenant">,
  id: PlanningSessionId,
  alert: SessionAlert,
  before: readonly PersonId[] = [],
): Promise<void> {
  if (!tx.sendsMail) return;
  const people = await participantsOf(tx, id);
  const about = { kind: "planning", subject_id: id } as const;
  await queueMailsTo(tx, people, { ...about, alert });
  const gone = before.filter((one) => !people.includes(one));
  await queueMailsTo(tx, gone, { ...about, alert: "session_cancelled" });
}
