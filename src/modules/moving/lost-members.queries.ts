/**
 * Who had an account according to a school's own database, and is no member according to the control database: that is older than the
 * file, or was begun anew.
 */
import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { OrgId, UserId } from "../../core/ids.ts";
import { formerMemberships, memberships, organizations } from "../../identity/identity.tables.ts";
import { tenantMarks } from "../../storage/control.tables.ts";
import type { Reader } from "../../storage/store.ts";
import { accountNames } from "../../storage/tenant.tables.ts";
import { people } from "../people/people.tables.ts";

/** As far as the school's file knows them. */
export interface KnownAccount {
  user_id: UserId;
  name: string;
  /** That of the person in the school's records, which need not be the account's. */
  email: string | null;
}

/** Lists the accounts that are linked to a person or have written there, the persons first. */
export async function knownAccounts(reader: Pick<Reader<"tenant">, "select">): Promise<KnownAccount[]> {
  const linked = await reader
    .select({ user_id: people.user_id, name: people.name, email: people.email })
    .from(people)
    .where(and(isNotNull(people.user_id), isNull(people.erased_at), eq(people.status, "active")))
    .orderBy(asc(people.name), asc(people.id));
  const written = await reader.select().from(accountNames).orderBy(asc(accountNames.name));
  const known = new Map<UserId, KnownAccount>();
  for (const { user_id, name, email } of linked)
    if (user_id !== null) known.set(user_id, { user_id, name, email: email === null ? null : email.trim() });
  for (const { id, name } of written) if (!known.has(id)) known.set(id, { user_id: id, name, email: null });
  return [...known.values()];
}

/** Returns those of the accounts that neither are members nor were. An account that is missing has no membership either. */
export async function withoutMembership<Account extends { user_id: UserId }>(
  reader: Reader<"control">,
  orgId: OrgId,
  accounts: readonly Account[],
): Promise<Account[]> {
  const found = new Set<UserId>();
  for (const table of [memberships, formerMemberships]) {
    const rows = await reader.select({ id: table.user_id }).from(table).where(eq(table.org_id, orgId));
    for (const { id } of rows) found.add(id);
  }
  return accounts.filter(({ user_id }) => !found.has(user_id));
}

/** Lists the organizations that have a file, by name. */
export const withFile = (reader: Reader<"control">): Promise<{ id: OrgId; name: string }[]> =>
  reader
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .innerJoin(tenantMarks, eq(tenantMarks.org_id, organizations.id))
    .orderBy(sql`${organizations.name} collate nocase`, asc(organizations.id));
