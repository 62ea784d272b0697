import { asc, eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { unauthorized } from "../../../core/errors.ts";
import { users } from "../../../identity/identity.tables.ts";
import { membershipsOf } from "../../../identity/memberships.queries.ts";
import { permissionsOf } from "../../../identity/roles.ts";
import type { Reader } from "../../../storage/store.ts";
import { sessions } from "../../accounts/accounts.tables.ts";
import { isEnrolled } from "../../accounts/mfa/mfa.queries.ts";
import { identities } from "../../accounts/oauth/oauth.tables.ts";
import type { Me } from "./me.schemas.ts";

/** Returns the caller's account, session and organizations. @throws UNAUTHORIZED the account or the session is deleted */
export async function readMe(
  reader: Reader<"control">,
  { userId, sessionId }: UserActor,
  { now }: { now: Instant },
): Promise<Me> {
  const [row] = await reader
    .select({ account: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, sessionId));
  if (!row) throw unauthorized();
  const { account, session } = row;
  const { amr, auth_time, step_up_until } = session;
  return {
    user: {
      id: account.id,
      email: account.email,
      email_verified: account.email_verified_at !== null,
      name: account.name,
    },
    session: {
      id: session.id,
      amr,
      auth_time,
      step_up_until: step_up_until !== null && step_up_until > now ? step_up_until : null,
    },
    organizations: (await membershipsOf(reader, userId)).map((one) => ({
      ...one,
      permissions: [...permissionsOf(one.roles)],
    })),
    has_second_factor: await isEnrolled(reader, userId),
    providers: await linkedProviders(reader, account),
  };
}

async function linkedProviders(
  reader: Reader<"control">,
  { id }: Pick<typeof users.$inferSelect, "id">,
): Promise<string[]> {
  const { provider } = identities;
  const rows = await reader
    .selectDistinct({ provider })
    .from(identities)
    .where(eq(identities.user_id, id))
    .orderBy(asc(provider));
  return rows.map((row) => row.provider);
}
