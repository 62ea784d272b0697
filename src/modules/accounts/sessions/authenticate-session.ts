import { sql } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import type { SessionId } from "../../../core/ids.ts";
import { lookUp } from "../../../storage/look-up.ts";
import type { Control } from "../../../storage/store.ts";
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
    const row = await control.read((reader) => standingOf(reader, { id: claims.sessionId }));
    if (!row) return undefined;
    const { user_id: userId, email, name, disabled_at, ...session } = row;
    if (!isOpen({ session, account: { disabled_at } }, toInstant(clock.now()))) return undefined;
    return { kind: "user", userId, sessionId: claims.sessionId, email, name };
  };

const standingOf = lookUp(
  {
    user_id: users.id,
    email: users.email,
    name: users.name,
    disabled_at: users.disabled_at,
    revoked_at: sessions.revoked_at,
    idle_until: sessions.idle_until,
  },
  sql`from ${sessions} join ${users} on ${users.id} = ${sessions.user_id} where ${sessions.id} = ${sql.placeholder("id")}`,
);

interface Standing {
  session: { revoked_at: Instant | null; idle_until: Instant };
  account: { disabled_at: Instant | null };
}

/** Whether a session has not ended, by anybody's hand or by itself, and its account is not disabled. */
export const isOpen = ({ session, account }: Standing, now: Instant): boolean =>
  session.revoked_at === null && now < session.idle_until && account.disabled_at === null;
