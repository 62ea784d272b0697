import { eq, sql } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import type { SessionId } from "../../../core/ids.ts";
import { prepared } from "../../../storage/prepared.ts";
import type { Control, Reader } from "../../../storage/store.ts";
import { sessions, users } from "../accounts.tables.ts";

interface Deps {
  control: Control;
  clock: Clock;
  accessTokens: { verify(token: string): Promise<{ sessionId: SessionId } | undefined> };
}

/**
 * Tells whose access token it is. The token alone is not believed: a session that was ended, or whose account was
 * disabled, is over at once and not when the token runs out.
 */
export const authenticateSession =
  ({ control, clock, accessTokens }: Deps) =>
  async (accessToken: string): Promise<UserActor | undefined> => {
    const claims = await accessTokens.verify(accessToken);
    if (!claims) return undefined;
    const [row] = await control.read((reader) => standingOf(reader).execute({ id: claims.sessionId }));
    if (!row || !isOpen(row, toInstant(clock.now()))) return undefined;
    const { userId, email, name } = row;
    return { kind: "user", userId, sessionId: claims.sessionId, email, name };
  };

const standingOf = prepared((reader: Reader<"control">) =>
  reader
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      account: { disabledAt: users.disabledAt },
      session: { revokedAt: sessions.revokedAt, idleUntil: sessions.idleUntil },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder("id")))
    .prepare(),
);

interface Standing {
  session: { revokedAt: Instant | null; idleUntil: Instant };
  account: { disabledAt: Instant | null };
}

/** Whether a session has not ended, by anybody's hand or by itself, and its account is not disabled. */
export const isOpen = ({ session, account }: Standing, now: Instant): boolean =>
  session.revokedAt === null && now < session.idleUntil && account.disabledAt === null;
