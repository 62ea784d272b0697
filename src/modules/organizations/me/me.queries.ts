import { asc, eq } from "drizzle-orm";
import type { UserActor } from "../../../core/actor.ts";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { Problem, unauthorized } from "../../../core/errors.ts";
import type { OrgId, PersonId, UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import { membershipsOf } from "../../../identity/memberships.queries.ts";
import { permissionsOf } from "../../../identity/roles.ts";
import type { SignedIn } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { sessions } from "../../accounts/accounts.tables.ts";
import { isEnrolled } from "../../accounts/mfa/mfa.queries.ts";
import { identities } from "../../accounts/oauth/oauth.tables.ts";
import { platformPermissionsOf } from "../../accounts/operator/platform-permissions.queries.ts";
import { personOf } from "../../people/identity.queries.ts";
import type { Me } from "./me.schemas.ts";

type MeContext = Pick<SignedIn, "actor" | "control" | "clock"> & { tenants: TenantStore };

/** Returns the caller's account, session and organizations. @throws UNAUTHORIZED the account or the session is deleted */
export async function readMe({ actor, control, clock, tenants }: MeContext): Promise<Me> {
  const me = await control.read((reader) => readAccount(reader, actor, { now: toInstant(clock.now()) }));
  const organizations = await Promise.all(
    me.organizations.map(async (one) => ({
      ...one,
      // The file of a suspended one may be removed by now.
      person_id: one.suspended_at === null ? await personIn(tenants, one.id, actor.userId) : null,
    })),
  );
  return { ...me, organizations };
}

/** One organization whose file can't be read must not keep the account out of the others. */
async function personIn(tenants: TenantStore, orgId: OrgId, userId: UserId): Promise<PersonId | null> {
  try {
    return await tenants.tenant(orgId).read((reader) => personOf(reader, userId));
  } catch (error) {
    if (error instanceof Problem && error.code === "TENANT_UNAVAILABLE") return null;
    throw error;
  }
}

async function readAccount(reader: Reader<"control">, { userId, sessionId }: UserActor, { now }: { now: Instant }) {
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
      language: account.language,
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
    platform_permissions: [...(await platformPermissionsOf(reader, userId))].sort(),
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
