import { and, eq, gt, isNull } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { type Session, session, sessionsSeenFrom } from "./sessions.shapes.ts";
import { seenSince } from "./sessions.ts";

const lastSeenFirst = descending(session, "last_seen_at", "id");

/** The sessions of an account that are open. */
const isOpen = (userId: UserId, now: Instant) =>
  and(
    eq(sessions.user_id, userId),
    isNull(sessions.revoked_at),
    gt(sessions.idle_until, now),
    gt(sessions.rotated_at, seenSince(now)), // in the index, so that expired ones are not read
  );

/** Returns a page of the caller's open sessions, the last used first, as the bytes of JSON text. */
export const listSessions = (
  reader: Reader<"control">,
  { userId, sessionId }: UserActor,
  { now, ...page }: PageRequest & { now: Instant },
): Promise<Bytes> =>
  pageBody(reader, session, {
    ...page,
    from: sessionsSeenFrom(sessionId),
    where: isOpen(userId, now),
    orderBy: lastSeenFirst,
  });

/** Returns one of the caller's open sessions. @throws NOT_FOUND it is another account's, or has ended */
export const findSession = (
  reader: Reader<"control">,
  { userId, sessionId: asking }: UserActor,
  { sessionId, now }: { sessionId: SessionId; now: Instant },
): Promise<JsonOf<Session>> =>
  resourceJson(reader, session, {
    from: sessionsSeenFrom(asking),
    where: and(eq(sessions.id, sessionId), isOpen(userId, now)),
  });
