/**
 * What a module tells of the changes of its records, and whom: the stream of changes (`modules/changes`) is made of the kinds of all
 * modules. Its queries run once for the records that changed, and not for each reader.
 */
import { type SQL, sql } from "drizzle-orm";
import type { UserId } from "../core/ids.ts";
import type { Permission } from "../core/permissions.ts";
import type { Reader } from "./store.ts";

/** A kind of the audit log. What no module declares is told to nobody. */
export interface ChangeKind {
  /** As in the audit log. */
  readonly kind: string;
  /** A member learns of a change if one of these lets them. It must be true of a record exactly if a GET shows it to them. */
  readonly seenBy: readonly Sight[];
  /** Records of another kind that change with it, without an audit row of their own. */
  readonly moves?: { readonly kind: string; of(reader: Reader, ids: readonly string[]): Promise<[string, string][]> };
}

/** Members who have all of the permissions. */
export interface Sight {
  readonly needs: readonly [Permission, ...Permission[]];
  /** Which of the records they see; by default all. */
  of?(reader: Reader, ids: readonly string[]): Promise<readonly Seen[]>;
  /** Which of them they saw before, by the rows of the audit log: who can't see a record any more learns that it has changed. */
  before?(reader: Reader, rows: readonly number[]): Promise<readonly Seen[]>;
}

/** A record that each of those members sees, or that only one of them sees: by the account, or by the e-mail address. */
export type Seen =
  | { readonly id: string; readonly by: "all" }
  | { readonly id: string; readonly by: "one"; readonly userId: UserId | null; readonly email: string | null };

/** The ids of the records that changed, for the statements below: `… where id in (select value from changed)`. */
const changed = sql`(select value from json_each(${sql.placeholder("ids")}))`;
export const isChanged = (id: SQL | Parameters<typeof sql>[1]): SQL => sql`${id} in ${changed}`;

/** The rows of the audit log of these changes. `$.before` of the payload is the resource before the change. */
export const isRowOfChange = (seq: SQL | Parameters<typeof sql>[1]): SQL =>
  sql`${seq} in (select value from json_each(${sql.placeholder("rows")}))`;

const filled = (ids: readonly string[]) => ({ ids: JSON.stringify(ids) });

/** Members with one of the permissions see all. */
export const seenWith = (...anyOf: readonly Permission[]): Sight[] =>
  anyOf.map((permission) => ({ needs: [permission] }));

/** Members with the permissions see these. @param statement selects ids */
export const someSeenWith = (needs: Sight["needs"], statement: SQL<[string]>): Sight => ({
  needs,
  async of(reader, ids) {
    const rows = await reader.rows(statement, filled(ids));
    return rows.map(([id]) => ({ id, by: "all" }));
  },
});

/** Each id with an account, an e-mail address, or both. */
type Owners = SQL<[id: string, userId: UserId | null, email: string | null]>;

const owned = (rows: readonly (readonly [string, UserId | null, string | null])[]): Seen[] =>
  rows.map(([id, userId, email]) => ({ id, by: "one", userId, email }));

/**
 * Members with the permissions see their own.
 *
 * @param before selects those of before the change, by the rows of the audit log (`isRowOfChange`)
 */
export const ownSeenWith = (needs: Sight["needs"], statement: Owners, before?: Owners): Sight => ({
  needs,
  of: async (reader, ids) => owned(await reader.rows(statement, filled(ids))),
  ...(before && {
    before: async (reader: Reader, rows: readonly number[]) =>
      owned(await reader.rows(before, { rows: JSON.stringify(rows) })),
  }),
});

/** @param statement selects each id with that of the other record */
export const moving = (kind: string, statement: SQL<[string, string]>): NonNullable<ChangeKind["moves"]> => ({
  kind,
  async of(reader, ids) {
    const rows = await reader.rows(statement, filled(ids));
    return rows.map(([id, other]) => [id, other]);
  },
});
