/**
 * What modules keep about a person. Each module declares its part; the export (GDPR, articles 15 and 20) and the erasure
 * (article 17) are made of all parts.
 */
import { type AnyColumn, and, eq, getTableColumns, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldToEventLoop } from "../core/async.ts";
import type { Instant } from "../core/clock.ts";
import { type Cursor, decodeCursor } from "../core/cursor.ts";
import type { LegalDate } from "../core/dates.ts";
import type { OrgId, PersonId, UserId } from "../core/ids.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { By } from "./context.ts";
import type { PageRequest } from "./page.ts";
import { auditLog, usedKeys } from "./shared.tables.ts";
import type { Reader, Tenant, Tx } from "./store.ts";

/** The person, with all they are or were known by. */
export interface DataSubject {
  personId: PersonId;
  /** Undefined if it is another's, too: what was recorded under the name may be about them. */
  name: string | undefined;
  emails: readonly string[];
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
  erase(tx: Tx<"tenant">, subject: DataSubject, by: By): Promise<void>;
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
 * Matches JSON text that contains the person's id or an address, or their name as the value of `by`. A value of `name` does not
 * count: API keys and maintenance items have names, too, and where it is a person's, the id is beside it.
 */
function mentions(column: AnyColumn, { personId, emails, name }: Mentioned): SQL {
  const named = name === undefined ? [] : [`"by":${JSON.stringify(name)}`];
  return containsOneOf(column, [personId, ...emails.map((email) => JSON.stringify(email)), ...named]);
}

type Mentioned = Pick<DataSubject, "personId" | "emails"> & Partial<Pick<DataSubject, "name">>;

const containsOneOf = (column: AnyColumn, texts: readonly string[]): SQL =>
  sql.join(
    texts.map((text) => sql`instr(${column}, ${text}) > 0`),
    sql.raw(" or "),
  );

/** Deletes the rows of a table with JSON about the person. */
export const deleteMentions = (tx: Tx, table: SQLiteTable, column: AnyColumn, subject: DataSubject): Promise<void> =>
  searchRows(tx, table, mentions(column, subject), (found) => tx.delete(table).where(found));

/**
 * Erases the person from the audit log and from the responses kept for repeats. Rows of the audit log stay without their
 * payload: their digests keep the chain valid.
 *
 * @param orgId in the control database: only rows of this organization
 */
export async function eraseFromLogs(
  tx: Tx,
  subject: Mentioned & Pick<DataSubject, "userIds">,
  orgId?: OrgId,
): Promise<void> {
  const byPerson = subject.userIds.length > 0 ? inArray(auditLog.actor_id, [...subject.userIds]) : undefined;
  const isAbout = or(byPerson, eq(auditLog.subject_id, subject.personId), mentions(auditLog.payload, subject));
  const isOfOrganization = orgId === undefined ? undefined : eq(auditLog.org_id, orgId);
  await erasePayloads(tx, and(isOfOrganization, isAbout));
  await eraseAnswers(tx, mentions(usedKeys.answer, subject));
}

const erasePayloads = (tx: Tx, isAbout: SQL | undefined): Promise<void> =>
  searchRows(tx, auditLog, isAbout, (found) => tx.update(auditLog).set({ payload: null }).where(found));

const eraseAnswers = (tx: Tx, isAbout: SQL): Promise<void> =>
  searchRows(tx, usedKeys, isAbout, (found) =>
    tx.update(usedKeys).set({ status: null, answer: null, permissions: null, location: null }).where(found),
  );

/** As `eraseFromLogs`, for resources of a kind that name records of the person instead of the person. */
export async function eraseFromLogsAbout(tx: Tx, kind: string, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length === 0) return;
  await erasePayloads(tx, and(eq(auditLog.subject_kind, kind), containsOneOf(auditLog.payload, recordIds)));
  await eraseAnswers(tx, containsOneOf(usedKeys.answer, recordIds));
}

/**
 * Replaces the person's name and addresses in the text that members wrote into these columns.
 *
 * @param changeTime of a table with a list of changes that shows them: see `changes.ts`
 */
export async function eraseFromTexts<T extends SQLiteTable, Name extends keyof T["_"]["columns"] & string>(
  tx: Tx<"tenant">,
  table: T,
  names: readonly Name[],
  subject: DataSubject,
  changeTime?: (tx: Tx<"tenant">) => Promise<Instant>,
): Promise<void> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const words = wordsOf(subject);
  const found = names.flatMap((name) => (columns[name] ? [[name, columns[name]] as const] : []));
  if (words.length === 0) return;
  const isAbout = or(...found.map(([, column]) => containsOneOf(column, words)));
  const without = (column: SQLiteColumn) =>
    words.reduce<SQL>((text, word) => sql`replace(${text}, ${word}, ${ERASED})`, sql`${column}`);
  const set = sql.join(
    found.map(([name, column]) => sql`${sql.identifier(name)} = ${without(column)}`),
    sql.raw(", "),
  );
  await searchRows(tx, table, isAbout, async (rows) => {
    const stamp = changeTime ? sql`, updated_at = ${await changeTime(tx)}` : sql``;
    await tx.run(sql`update ${table} set ${set}${stamp} where ${rows}`);
  });
}

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

/** A name of one word may be part of other words. */
const wordsOf = ({ name, emails }: DataSubject): readonly string[] =>
  name?.includes(" ") ? [name, ...emails] : emails;

/** The name of a person whose data was erased. */
export const ERASED = "Erased person";
