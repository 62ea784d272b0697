/** A session is one sign-in on one device. Its lifetime, and how it is opened. */
import type { UserActor } from "../../../core/actor.ts";
import { days, type Instant, shift } from "../../../core/clock.ts";
import { newId, type OrgId, type SessionId, type UserId } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import { organizationOf } from "../../../identity/memberships.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import type { Account } from "../users.ts";

const IDLE = days(30);
const ABSOLUTE = days(90);

/** The device of a sign-in. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  /** The one that it prefers of ours. */
  readonly language: Language;
}

/** The data of a session that its tokens are issued from. */
export interface Session {
  id: SessionId;
  user_id: UserId;
  /** The organization of requests that name none. */
  org_id: OrgId | null;
  amr: readonly string[];
  auth_time: Instant;
  generation: number;
  idle_until: Instant;
  ends_at: Instant;
}

/** Returns when a session expires unless it is refreshed; never later than `endsAt`. */
export function idleUntil(now: Instant, endsAt: Instant): Instant {
  const idle = shift(now, IDLE);
  return idle < endsAt ? idle : endsAt;
}

/** Returns the time since which a session that is open now was opened or refreshed. */
export const seenSince = (now: Instant): Instant => shift(now, -IDLE);

interface NewSession {
  account: Account;
  /** The organization named in the request, if any. */
  orgId: OrgId | null;
  amr: string[];
  /** The time of the original sign-in, if the session is handed on. By default now. */
  authTime?: Instant;
  /** The session that it is handed on from. */
  handedOnFrom?: SessionId;
  client: Client;
}

/** Opens a session for an authenticated account, and writes the audit row. */
export async function openSession(
  tx: Tx<"control">,
  { clock, requestId }: Pick<Context, "clock" | "requestId">,
  { account, orgId, amr, authTime = tx.now, handedOnFrom, client }: NewSession,
): Promise<Session> {
  const endsAt = shift(authTime, ABSOLUTE);
  const session = {
    id: newId<"session">(clock),
    user_id: account.id,
    org_id: orgId,
    amr,
    auth_time: authTime,
    generation: 1,
    idle_until: idleUntil(tx.now, endsAt),
    ends_at: endsAt,
  };
  await tx.insert(sessions).values({
    ...session,
    address: client.address,
    user_agent: client.userAgent,
    handed_on_from: handedOnFrom,
    rotated_at: tx.now,
    created_at: tx.now,
  });
  const actor = actorOf(account, session.id);
  const subject = { kind: "session", id: session.id };
  await audit(tx, { actor, requestId }, "session.opened", {
    subject,
    after: { user_id: account.id, amr, org_id: orgId },
  });
  return { ...session, org_id: await organizationOf(tx, account.id, orgId) };
}

/** Returns the actor of an account's session. */
export const actorOf = ({ id, email, name }: Account, sessionId: SessionId): UserActor => ({
  kind: "user",
  userId: id,
  sessionId,
  email,
  name,
});
