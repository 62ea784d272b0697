/** What a school's own database knows of what the control database had, for a school that comes without the other. */
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { UserId } from "../../core/ids.ts";
import type { Role } from "../../identity/roles.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Reader } from "../../storage/store.ts";
import { meta } from "../../storage/tenant.tables.ts";
import { financeInvoices } from "../finance/invoices.tables.ts";
import { type PersonType, people } from "../people/people.tables.ts";

type TenantReader = Pick<Reader<"tenant">, "select">;

/** Those who were linked to an account, whether or not they were members at last. */
export async function linkedPeople(reader: TenantReader) {
  const rows = await reader
    .select({
      user_id: sql<UserId>`${people.user_id}`,
      name: people.name,
      email: sql<string>`${people.email}`,
      types: people.types,
    })
    .from(people)
    .where(
      and(isNotNull(people.user_id), isNotNull(people.email), isNull(people.erased_at), eq(people.status, "active")),
    )
    .orderBy(people.id);
  return rows.map(({ email, ...person }) => ({ ...person, email: email.trim().toLowerCase() }));
}

export type LinkedPerson = { user_id: UserId; name: string; email: string; types: PersonType[] };

/** Returns the currency of the newest invoice. */
export async function lastCurrency(reader: TenantReader): Promise<string | undefined> {
  const [row] = await reader
    .select({ currency: financeInvoices.currency })
    .from(financeInvoices)
    .orderBy(desc(financeInvoices.id))
    .limit(1);
  return row?.currency;
}

/** Returns since when the school was suspended where it comes from; null: it was not. */
export async function suspendedThere(reader: TenantReader) {
  const [row] = await reader.select({ at: meta.suspended_at }).from(meta);
  return row?.at ?? null;
}

/** Returns when the school began. */
export async function firstChange(reader: TenantReader) {
  const [row] = await reader.select({ at: auditLog.at }).from(auditLog).orderBy(auditLog.seq).limit(1);
  return row?.at;
}

/** The roles that a person of these types needs. */
const roleOf: Partial<Record<PersonType, Role>> = {
  student: "student",
  pilot: "student",
  instructor: "instructor",
  mechanic: "mechanic",
};

export const rolesFor = (types: readonly PersonType[]): Role[] => [
  ...new Set(types.flatMap((type) => roleOf[type] ?? [])),
];
