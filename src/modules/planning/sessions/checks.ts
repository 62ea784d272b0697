import type { MemberActor } from "../../../core/actor.ts";
import type { Reader } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { settingsOf } from "../settings/settings.ts";
import { resourcesOf, shownTo } from "./check-booking.ts";
import { requireVisible, sessionEntity, studentsOf } from "./sessions.queries.ts";

/** Returns the rules that a session does not meet now. @throws NOT_FOUND; CONFLICT something it needs is archived */
export async function checksOf(reader: Reader<"tenant">, actor: MemberActor, sessionId: PlanningSessionId) {
  await requireVisible(reader, sessionId, actor);
  const booking = {
    ...(await sessionEntity.row(reader, { sessionId })),
    student_ids: await studentsOf(reader, sessionId),
  };
  const { resources, pilots } = await resourcesOf(reader, booking);
  const findings = await findClashes(reader, { booking, resources, pilots, settings: await settingsOf(reader) });
  return (await shownTo(reader, actor, findings)).map(({ health: _, ...check }) => check);
}
