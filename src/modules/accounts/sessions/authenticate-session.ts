import { sql } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import type { OrgId, SessionId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Control } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";

interface Deps {
  control: Control;
  clock: Clock;
  accessTokens: {
    verify(token: string): Promise<{ sessionId: SessionId; orgId: OrgId | null; expiresAt: Instant } | undefined>;
  };
}

/**
 * Returns the actor of an access token. It looks the session up each time: a revoked session, or one of a disabled
 * account, stops working immediately and not when the token expires.
 */
export const authenticateSession =
  ({ control, clock, accessTokens }: Deps) =>
  async (accessToken: string): Promise<UserActor | undefined> => {
    const claims = await accessTokens.verify(accessToken);
    if (!claims) return undefined;
    const row = await control.read((reader) => sessionById(reader, { id: claims.sessionId }));
    if (!row) return undefined;
    const { user_id, email, name, disabled_at, ...session } = row;
    if (!isOpen({ session, account: { disabled_at } }, toInstant(clock.now()))) return undefined;
    const { sessionId, orgId, expiresAt } = claims;
    return { kind: "user", userId: user_id, sessionId, email, name, defaultOrgId: orgId, expiresAt };
  };

const sessionById = lookUp(
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

interface SessionState {
  session: { revoked_at: Instant | null; idle_until: Instant };
  account: { disabled_at: Instant | null };
}

/** Returns whether the session is neither revoked nor expired, and its account is enabled. */
export const isOpen = ({ session, account }: SessionState, now: Instant): boolean =>
  session.revoked_at === null && now < session.idle_until && account.disabled_at === null;
