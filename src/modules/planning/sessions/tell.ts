import { sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { queueMailTo, type SessionAlert } from "../../mails/queue-mails.ts";
import { type PlanningSessionId, planningResources } from "../planning.tables.ts";
import type { SessionRow } from "./sessions.queries.ts";

/** Returns the instructor and the students. */
export async function participantsOf(tx: Tx<"tenant">, id: PlanningSessionId): Promise<PersonId[]> {
  return (await tx.rows(participants, { id })).map(([person]) => person);
}

const participants = sql<[PersonId]>`select ${planningResources.resource_id} from ${planningResources}
  where ${planningResources.session_id} = ${sql.placeholder("id")}
    and ${planningResources.type} in ('instructor', 'student')`;

const kind = "planning";

/** Posting: queues one mail to each who takes part, about those of the sessions in which they do. */
export async function tell(
  tx: Tx<"tenant">,
  ids: readonly PlanningSessionId[],
  alert: Exclude<SessionAlert, "session_left">,
): Promise<void> {
  if (!tx.sendsMail) return;
  const theirs = new Map<PersonId, PlanningSessionId[]>();
  for (const id of ids)
    for (const person of await participantsOf(tx, id)) theirs.set(person, [...(theirs.get(person) ?? []), id]);
  for (const [person, [subject_id, ...more]] of theirs)
    if (subject_id !== undefined)
      await queueMailTo(tx, person, {
        kind,
        alert,
        subject_id,
        ...(more.length > 0 && { session_ids: [subject_id, ...more] }),
      });
}

/** Posting: queues a mail to each who took part before. It has the time that they know. */
export async function tellLeft(
  tx: Tx<"tenant">,
  { id, start_at, end_at }: SessionRow,
  before: readonly PersonId[],
): Promise<void> {
  if (!tx.sendsMail) return;
  const people = await participantsOf(tx, id);
  const about = {
    kind,
    alert: "session_left",
    subject_id: id,
    former_start_at: start_at,
    former_end_at: end_at,
  } as const;
  for (const one of before) if (!people.includes(one)) await queueMailTo(tx, one, about);
}
