/** What the readers of streams may see now: all of an organization in one query. */
import { sql } from "drizzle-orm";
import { type Clock, type Instant, toInstant } from "../../core/clock.ts";
import type { OrgId, SessionId } from "../../core/ids.ts";
import type { Permission } from "../../core/permissions.ts";
import { memberships, users } from "../../identity/identity.tables.ts";
import { permissionsOf } from "../../identity/roles.ts";
import { isSuspended } from "../../identity/suspensions.queries.ts";
import { lookUpAll } from "../../storage/lookup.ts";
import type { Control } from "../../storage/store.ts";
import { sessions } from "../accounts/accounts.tables.ts";
import { isOpen } from "../accounts/sessions/authenticate-session.ts";

export interface Access {
  permissions: ReadonlySet<Permission>;
  email: string;
  /** When the session ends, unless it is refreshed. */
  until: Instant;
}

const value = sql.placeholder;
const members = lookUpAll(
  {
    id: sessions.id,
    revoked_at: sessions.revoked_at,
    idle_until: sessions.idle_until,
    disabled_at: users.disabled_at,
    email: users.email,
    roles: memberships.roles,
  },
  sql`from json_each(${value("sessions")}) as asked
    cross join ${sessions} on ${sessions.id} = asked.value
    cross join ${users} on ${users.id} = ${sessions.user_id}
    cross join ${memberships} on ${memberships.user_id} = ${users.id} and ${memberships.org_id} = ${value("orgId")}
    where not ${isSuspended(sql`${value("orgId")}`)}`,
);

/** Returns what each session may see in the organization. One that has ended, or whose account is no member, is left out; in a suspended organization all are. */
export async function accessOf(
  control: Control,
  clock: Clock,
  orgId: OrgId,
  asked: readonly SessionId[],
): Promise<ReadonlyMap<SessionId, Access>> {
  const now: Instant = toInstant(clock.now());
  const rows = await control.read((reader) =>
    members(reader, { orgId, sessions: JSON.stringify([...new Set(asked)]) }),
  );
  return new Map(
    rows
      .filter((row) => isOpen({ session: row, account: row }, now))
      .map(({ id, roles, email, idle_until }) => [id, { permissions: permissionsOf(roles), email, until: idle_until }]),
  );
}
