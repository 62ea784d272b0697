import { and, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { OrgId, UserId } from "../../../core/ids.ts";
import type { DataSubject } from "../../../storage/personal-data.ts";
import { auditLog } from "../../../storage/shared.tables.ts";
import type { Control, Reader } from "../../../storage/store.ts";
import { hasMemberNamed } from "../../organizations/memberships.queries.ts";
import { addressOf } from "../../organizations/person-in-control.queries.ts";
import { formerLinks, people } from "../people.tables.ts";
import type { PersonRow } from "../person-rules.ts";

type TenantReader = Reader<"tenant">;

interface In {
  control: Pick<Control, "read">;
  orgId: OrgId;
}

/**
 * Returns the person with their present and former names, addresses and accounts. What is another person's is left out: it was
 * entered by mistake, or is shared. An account that was linked before is the person's own if nobody else ever had it, and its
 * address is or was theirs: an admin may link any account to anybody for a minute.
 */
export async function dataSubject(reader: TenantReader, person: PersonRow, at: In): Promise<DataSubject> {
  const links = [person, ...(await formerOf(reader, person))];
  const emails = await filtered(
    distinct<string>(links.map(({ email }) => email)),
    async (value) => !(await isOfAnother(reader, person, eq(people.email, value))),
  );
  const names = await filtered(
    await namesOf(reader, person),
    async (value) =>
      !(await isOfAnother(reader, person, eq(people.name, value))) &&
      !(await at.control.read((control) => hasMemberNamed(control, at.orgId, value))),
  );
  const userIds = await filtered(await accountsEver(reader, person), async (id) => {
    if (id === person.user_id) return true;
    const address = await at.control.read((control) => addressOf(control, id));
    return address !== undefined && emails.includes(address) && !(await wasOfAnother(reader, person, id));
  });
  return { personId: person.id, names, emails, userIds };
}

/** Returns each account that was ever linked to the person, without those that are another person's now. */
export const accountsEver = async (reader: TenantReader, person: PersonRow): Promise<UserId[]> =>
  filtered(
    distinct([person, ...(await formerOf(reader, person))].map(({ user_id }) => user_id)),
    async (id) => !(await isOfAnother(reader, person, eq(people.user_id, id))),
  );

const formerOf = (reader: TenantReader, { id }: PersonRow) =>
  reader.select().from(formerLinks).where(eq(formerLinks.person_id, id));

/** Returns the present name, and those that the audit log knows. */
async function namesOf(reader: TenantReader, { id, name }: PersonRow): Promise<string[]> {
  const { subject_id, subject_kind, payload } = auditLog;
  const nameIn = (state: "before" | "after") => sql<string | null>`${payload} ->> ${`$.${state}.name`}`;
  const rows = await reader
    .select({ before: nameIn("before"), after: nameIn("after") })
    .from(auditLog)
    .where(and(eq(subject_id, id), eq(subject_kind, "person"), isNotNull(payload)));
  return distinct<string>([name, ...rows.flatMap(({ before, after }) => [before, after])]);
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
