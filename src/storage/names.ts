/**
 * Names beside ids. In an answer to a session, each id of something that people know by a word has this word beside it:
 * `person_id` has `person_name`, `aircraft_id` has `aircraft_registration`, `created_by` has `created_by_name`. SQLite reads it
 * in the same statement. The public API and events have no such fields: a change of a name would have to move all their rows.
 */
import { getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { type Field, lateField } from "./shape.ts";
import { accountNames } from "./tenant.tables.ts";

/** How people know a record: the column, such as `name` or `registration`, is the end of the field's name. */
export interface KnownBy<Word extends string = string, Always extends boolean = boolean> {
  word: Word;
  /** Whether each id has one. */
  always: Always;
  example: string;
  /** Returns SQL for the word of the record with this id. */
  of(id: SQLWrapper): SQL;
}

type WithId = SQLiteTable & { id: SQLiteColumn };
type WordOf<T extends SQLiteTable> = keyof T["_"]["columns"] & string;

/** @param word the column; where it may be null, so may the field */
export function knownBy<T extends WithId, Word extends WordOf<T>>(
  table: T,
  word: Word,
  example: string,
): KnownBy<Word, T["_"]["columns"][Word]["_"]["notNull"]> {
  const column = sql.identifier(word);
  return {
    word,
    always: getTableColumns(table)[word]?.notNull === true,
    example,
    // The alias is not the table's name, which may be the outer one's: a person has a supervisor.
    of: (id) => sql`(select known.${column} from ${table} as known where known.id = ${id})`,
  };
}

/** Null for one that was erased. */
export const accountName: KnownBy<"name", false> = { ...knownBy(accountNames, "name", "Anna Berg"), always: false };

type Known = Record<string, KnownBy | undefined>;
type Stem<Id extends string> = Id extends `${infer Start}_id` ? Start : Id;
type Named<Id, K> = Id extends string ? (K extends KnownBy<infer Word> ? `${Stem<Id>}_${Word}` : never) : never;
type NamesOf<T extends SQLiteTable, N extends Known> = {
  [Id in keyof N as Named<Id, N[Id]>]: Field<
    [N[Id], T["_"]["columns"][Id & string]["_"]["notNull"]] extends [KnownBy<string, true>, true]
      ? z.ZodString
      : z.ZodNullable<z.ZodString>
  >;
};

/** Returns a field with the name of a record. @param id may be null */
export const nameField = ({ example, of }: KnownBy, id: SQLWrapper): Field<z.ZodNullable<z.ZodString>> =>
  lateField(
    () =>
      z
        .string()
        .nullable()
        .meta({ examples: [example] }),
    of(id),
  );

/** Returns the fields with the names of the records that columns refer to: `names(flights, { created_by: accountName })`. */
export function names<T extends SQLiteTable, N extends { [Id in keyof T["_"]["columns"]]?: KnownBy }>(
  table: T,
  known: N & Record<Exclude<keyof N, keyof T["_"]["columns"]>, never>,
): NamesOf<T, N & Known> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const fields = Object.entries<KnownBy | undefined>(known).flatMap(([id, one]) => {
    const column = columns[id];
    if (column === undefined || one === undefined) throw new Error(`There is no column ${id}.`);
    const name = nameField(one, column);
    const isAlways = one.always && column.notNull;
    return [
      [`${id.replace(/_id$/, "")}_${one.word}`, isAlways ? lateField(() => name.schema.unwrap(), name.value) : name],
    ];
  });
  return Object.fromEntries(fields) as NamesOf<T, N & Known>;
}
