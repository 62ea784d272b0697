/**
 * What modules keep about a person. Each module declares its part; the export (GDPR, articles 15 and 20) and the erasure
 * (article 17) are made of all parts.
 */
import { and, getTableColumns, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldToEventLoop } from "../core/async.ts";
import type { Instant } from "../core/clock.ts";
import { type Cursor, decodeCursor } from "../core/cursor.ts";
import type { LegalDate } from "../core/dates.ts";
import type { PersonId, UserId } from "../core/ids.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { By } from "./context.ts";
import type { PageRequest } from "./page.ts";
import { personalWords } from "./personal-words.ts";
import type { Reader, Tenant, Tx } from "./store.ts";

/** The person, with all they are or were known by. */
export interface DataSubject {
  personId: PersonId;
  /** Without those that are another's, too: what was recorded under such a name may be about them. */
  names: readonly string[];
  emails: readonly string[];
  /** The account linked now, and those before that are known to be the person's own. */
  userIds: readonly UserId[];
}

/** Records that the law obliges the school to keep. */
export interface KeptRecords {
  /** The last day. */
  until: LegalDate;
  /** What is kept, for the message: `training records`. */
  what: string;
  article: string;
}

/** A file of the export. */
export interface PersonalFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

export interface PersonalData {
  /** Lists of the export, by name. */
  lists: Readonly<Record<string, (tenant: Pick<Tenant, "read">, subject: DataSubject) => AsyncIterable<unknown>>>;
  files?(tenant: Pick<Tenant, "read">, subject: DataSubject): AsyncIterable<PersonalFile>;
  /** Records that must be kept still, for an organization of this kind. */
  kept?(reader: Reader<"tenant">, subject: DataSubject, kind: string): Promise<KeptRecords | undefined>;
  /** @throws CONFLICT the person can't be erased before something else is done */
  check?(reader: Reader<"tenant">, subject: DataSubject): Promise<void>;
  /** Deletes the data, or the parts of it that identify the person. Runs inside the transaction of the erasure. */
  erase?(tx: Tx<"tenant">, subject: DataSubject, by: By): Promise<void>;
  /** The same of what is written about changes: logs and events. Runs after each `erase`, which may write some. */
  eraseTraces?(tx: Tx<"tenant">, subject: DataSubject, by: By): Promise<void>;
}

/** Reads all rows of a list, a page of `limit` at a time. @param list returns a page as `pageBody` does */
export async function* allRows(
  tenant: Pick<Tenant, "read">,
  list: (reader: Reader<"tenant">, page: PageRequest) => Promise<Bytes>,
  limit = 500,
): AsyncGenerator<unknown> {
  for (let cursor: Cursor | undefined, isLast = false; !isLast; ) {
    const body = await tenant.read((reader) => list(reader, { limit, cursor }));
    const { data, page }: { data: unknown[]; page: { next_cursor: string | null } } = JSON.parse(body.toString());
    yield* data;
    cursor = page.next_cursor === null ? undefined : decodeCursor(page.next_cursor);
    isLast = cursor === undefined;
  }
}

/** Rows that are searched without a pause. */
const PIECE = 1000;

/** Changes the rows of a table in which `isAbout` holds: searches them in pieces, so that requests run meanwhile. */
export async function searchRows(
  tx: Tx,
  table: SQLiteTable,
  isAbout: SQL | undefined,
  change: (rowids: SQL) => Promise<unknown>,
): Promise<void> {
  // One by one: both in one query read the whole table.
  const [range] = await tx.values<[number | null, number | null]>(
    sql`select (select min(rowid) from ${table}), (select max(rowid) from ${table})`,
  );
  const [first, last] = range ?? [null, null];
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += PIECE) {
    const found = await tx.values<[number]>(
      sql`select rowid from ${table} where rowid >= ${from} and rowid < ${from + PIECE} and (${isAbout})`,
    );
    if (found.length > 0)
      await change(
        sql`rowid in (${sql.join(
          found.map(([rowid]) => sql`${rowid}`),
          sql.raw(", "),
        )})`,
      );
    await yieldToEventLoop();
  }
}

/**
 * Replaces the person's names and addresses in the text that members wrote into these columns.
 *
 * @param changeTime of a table with a list of changes that shows them: see `changes.ts`
 * @param inJson the columns hold JSON text, although drizzle does not say so
 */
export async function eraseFromTexts<T extends SQLiteTable, Name extends keyof T["_"]["columns"] & string>(
  tx: Tx<"tenant">,
  table: T,
  names: readonly Name[],
  subject: DataSubject,
  changeTime?: (tx: Tx<"tenant">) => Promise<Instant>,
  { inJson = false }: { inJson?: boolean } = {},
): Promise<void> {
  const words = personalWords(subject);
  if (words === undefined) return;
  const all: Record<string, SQLiteColumn> = getTableColumns(table);
  const columns = names.flatMap((name) => all[name] ?? []);
  const replaced = (column: SQLiteColumn | undefined, text: string) =>
    inJson || column?.dataType === "json" ? words.replaceInJson(text) : words.replaceIn(text);
  const mayHave = or(...columns.map((column) => words.mayBeIn(column)));
  await searchRows(tx, table, mayHave, async (found) => {
    const rows = await tx.values<[number, ...(string | null)[]]>(
      sql`select rowid, ${list(columns.map((column) => sql`${column}`))} from ${table} where ${found}`,
    );
    const changed = rows.flatMap(([rowid, ...before]) => {
      const after = before.map((text, at) => text && replaced(columns[at], text));
      return after.some((text, at) => text !== before[at]) ? [[rowid, after] as const] : [];
    });
    if (changed.length === 0) return;
    const stamp = changeTime && (await changeTime(tx));
    const set = [...names, ...(stamp ? ["updated_at"] : [])].map((name) => sql`${sql.identifier(name)} = ${value}`);
    await tx.each(
      sql`update ${table} set ${list(set)} where rowid = ${value}`,
      changed.map(([rowid, after]) => [...after, ...(stamp ? [stamp] : []), rowid]),
    );
  });
}

/** `each` fills them in their order. */
const value = sql.placeholder("value");

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql.raw(", "));

/** Clears the texts that members wrote into these columns of the person's own rows. The parameters are as above. */
export async function clearTexts<T extends SQLiteTable, Name extends keyof T["_"]["columns"] & string>(
  tx: Tx<"tenant">,
  table: T,
  names: readonly Name[],
  isOwn: SQL | undefined,
  changeTime?: (tx: Tx<"tenant">) => Promise<Instant>,
): Promise<void> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const isWritten = or(...names.flatMap((name) => (columns[name] ? [isNotNull(columns[name])] : [])));
  const set = sql.join(
    names.map((name) => sql`${sql.identifier(name)} = null`),
    sql.raw(", "),
  );
  await searchRows(tx, table, and(isOwn, isWritten), async (rows) => {
    const stamp = changeTime ? sql`, updated_at = ${await changeTime(tx)}` : sql``;
    await tx.run(sql`update ${table} set ${set}${stamp} where ${rows}`);
  });
}
