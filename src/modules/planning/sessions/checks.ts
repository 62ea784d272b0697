import type { MemberActor } from "../../../core/actor.ts";
import type { Reader } from "../../../storage/store.ts";
import type { PlanningSessionId } from "../planning.tables.ts";
import { found } from "../rules/booking.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { settingsOf } from "../settings/settings.ts";
import { shownTo } from "./findings-shown.ts";
import { resourcesOf } from "./resources-of.ts";
import { requireVisible, sessionEntity, studentsOf } from "./sessions.queries.ts";

/** Returns the rules that a session does not meet now, and what of it is archived. @throws NOT_FOUND */
export async function checksOf(reader: Reader<"tenant">, actor: MemberActor, sessionId: PlanningSessionId) {
  await requireVisible(reader, sessionId, actor);
  const booking = {
    ...(await sessionEntity.row(reader, { sessionId })),
    student_ids: await studentsOf(reader, sessionId),
  };
  const { resources, onBoard, unusable } = await resourcesOf(reader, booking);
  const gone = unusable.map(({ resource, problem: { reason = "person", message } }) =>
    found(booking, { rule: reason, action: "block", message, resource }),
  );
  const clashes = await findClashes(reader, { booking, resources, onBoard, settings: await settingsOf(reader) });
  return await shownTo(reader, actor, booking, [...gone, ...clashes]);
}
