import { and, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { OrgId, UserId } from "../../core/ids.ts";
import { hasMemberNamed } from "../../identity/memberships.queries.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Control, Reader } from "../../storage/store.ts";
import { formerLinks, people } from "../people/people.tables.ts";
import type { PersonRow } from "../people/person-rules.ts";
import { addressOf } from "./person-in-control.queries.ts";

type TenantReader = Reader<"tenant">;

interface In {
  control: Pick<Control, "read">;
  orgId: OrgId;
}

/**
 * Returns the person with their present and former names, addresses and accounts, and the addresses of these. What is another person's is left out: it was
 * entered by mistake, or is shared. An account that was linked before is the person's own if nobody else ever had it, and its
 * address is or was theirs: an admin may link any account to anybody for a minute.
 */
export async function dataSubject(reader: TenantReader, person: PersonRow, at: In): Promise<DataSubject> {
  const links = [person, ...(await formerOf(reader, person))];
  const known = await knownOf(reader, person);
  const ownOf = (addresses: readonly (string | null)[]) =>
    filtered(distinct(addresses), async (value) => !(await isOfAnother(reader, person, eq(people.email, value))));
  const emails = await ownOf([...links.map(({ email }) => email), ...known.map(({ email }) => email)]);
  const names = await filtered(
    distinct([person.name, ...known.map(({ name }) => name)]),
    async (value) =>
      !(await isOfAnother(reader, person, eq(people.name, value))) &&
      !(await at.control.read((control) => hasMemberNamed(control, at.orgId, value))),
  );
  const addressFor = async (id: UserId) => (await at.control.read((control) => addressOf(control, id))) ?? null;
  const userIds = await filtered(await accountsEver(reader, person), async (id) => {
    if (id === person.user_id) return true;
    const address = await addressFor(id);
    return address !== null && emails.includes(address) && !(await wasOfAnother(reader, person, id));
  });
  const addresses = [];
  for (const id of userIds) addresses.push(await addressFor(id));
  return { personId: person.id, names, emails: distinct([...emails, ...(await ownOf(addresses))]), userIds };
}

/** Returns each account that was ever linked to the person, without those that are another person's now. */
export const accountsEver = async (reader: TenantReader, person: PersonRow): Promise<UserId[]> =>
  filtered(
    distinct([person, ...(await formerOf(reader, person))].map(({ user_id }) => user_id)),
    async (id) => !(await isOfAnother(reader, person, eq(people.user_id, id))),
  );

const formerOf = (reader: TenantReader, { id }: PersonRow) =>
  reader.select().from(formerLinks).where(eq(formerLinks.person_id, id));

/** Returns the names and addresses that the audit log knows. */
async function knownOf(reader: TenantReader, { id }: PersonRow) {
  const { subject_id, subject_kind, payload } = auditLog;
  const rows = [];
  for (const state of ["before", "after"]) {
    const fieldOf = (field: string) => sql<string | null>`${payload} ->> ${`$.${state}.${field}`}`;
    const found = await reader
      .select({ name: fieldOf("name"), email: fieldOf("email") })
      .from(auditLog)
      .where(and(eq(subject_id, id), eq(subject_kind, "person"), isNotNull(payload)));
    rows.push(...found);
  }
  return rows;
}

const isOfAnother = async (reader: TenantReader, { id }: PersonRow, isSame: SQL): Promise<boolean> =>
  (await reader.$count(people, and(isSame, ne(people.id, id), isNull(people.erased_at)))) > 0;

const wasOfAnother = async (reader: TenantReader, { id }: PersonRow, userId: UserId): Promise<boolean> =>
  (await reader.$count(formerLinks, and(eq(formerLinks.user_id, userId), ne(formerLinks.person_id, id)))) > 0;

async function filtered<T>(values: readonly T[], isKept: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const value of values) if (await isKept(value)) kept.push(value);
  return kept;
}

const distinct = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))];
