import { getTableColumns, sql } from "drizzle-orm";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { formerLinks, people } from "../../people/people.tables.ts";
import type { EntryRef } from "../entry-types.ts";
import { directoryProfiles as table } from "../profiles.tables.ts";

export type ProfileRow = typeof table.$inferSelect;

const profile = lookUp(
  getTableColumns(table),
  sql`from ${table} where ${table.type} = ${sql.placeholder("type")} and ${table.subject_id} = ${sql.placeholder("id")}`,
);

/** Returns the profile of a subject, if it has one. */
export const profileRow = (reader: Reader<"tenant">, { type, id }: EntryRef): Promise<ProfileRow | undefined> =>
  profile(reader, { type, id });

/**
 * Whether an instructor needs to consent, gave the consent or did not. Those who have or had an account need to, with the
 * present one: so a school that unlinks an account does not get around its consent.
 */
export const consent = sql<"not_needed" | "given" | "missing">`(
  select case when ${people.user_id} = ${table.consented_by} then 'given'
    when ${people.user_id} is not null or exists (select 1 from ${formerLinks}
      where ${formerLinks.person_id} = ${people.id} and ${formerLinks.user_id} is not null) then 'missing'
    else 'not_needed' end
  from ${people} where ${people.id} = ${table.subject_id})`;
