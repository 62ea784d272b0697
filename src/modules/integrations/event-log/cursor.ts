/** Lists that go on where a page ended, whatever has been added meanwhile: newest first, by ids that sort by time. */
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { documentedAs } from "../../../http/documented-as.ts";
import type { Kind, Reader } from "../../../storage/store.ts";

/** The opaque mark of where a page ended. */
export const cursorAfter = (id: string): string => Buffer.from(id).toString("base64url");

/** @param isId tells an id of this list from anything else */
export const cursorQuery = <Id extends string>(isId: (text: string) => text is Id, example: Id) => {
  const read = (cursor: string): Id | undefined => {
    const id = Buffer.from(cursor, "base64url").toString();
    // Base64url can be written in several ways; only the one that was handed out is taken.
    return isId(id) && cursorAfter(id) === cursor ? id : undefined;
  };
  return z
    .string()
    .transform((text, context) => {
      const id = read(text);
      if (id !== undefined) return id;
      context.addIssue({ code: "custom", message: "Must be the `next_cursor` of a page before." });
      return z.NEVER;
    })
    .meta(
      documentedAs({
        type: "string",
        maxLength: 100,
        description: "The `next_cursor` of the page before; the other parameters stay as they were.",
        examples: [cursorAfter(example)],
      }),
    );
};

const CursorPage = z
  .strictObject({
    limit: z.int().meta({ examples: [100] }),
    has_more: z.boolean().meta({ examples: [true] }),
    next_cursor: z
      .string()
      .nullable()
      .meta({
        description: "For the next page, as `cursor`; null when there is none.",
        examples: [cursorAfter("evt_01890a5dac96774bbcceb302099a8057")],
      }),
  })
  .meta({ id: "CursorPage" });

/** `{"data": […], "page": {…}}`: what `cursorText` makes. */
export const cursorPage = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({ data: z.array(schema), page: CursorPage });

interface CursorList {
  from: SQL;
  id: SQL;
  /** The rows of the list. */
  where: SQL | undefined;
  cursor: string | undefined;
  limit: number;
}

/** A page of the list below the cursor, as JSON text. */
export async function cursorText<K extends Kind>(
  reader: Reader<K>,
  { json }: { json: SQL },
  { from, id, where, cursor, limit }: CursorList,
): Promise<string> {
  const matching = (below: SQL | undefined) => sql`${where ?? sql`true`} and ${below ?? sql`true`}`;
  const [row] = await reader.values<[string | null, string | null, number]>(sql`
    with shown as materialized (
      select ${id} as id, ${json} as item from ${from}
      where ${matching(cursor === undefined ? undefined : sql`${id} < ${cursor}`)} order by ${id} desc limit ${limit})
    select group_concat(item, ','), min(id),
      exists (select 1 from ${from} where ${matching(sql`${id} < (select min(id) from shown)`)})
    from shown`);
  const [items, last, more] = row ?? [null, null, 0];
  const page = { limit, has_more: more === 1, next_cursor: more === 1 && last !== null ? cursorAfter(last) : null };
  return `{"data":[${items ?? ""}],"page":${JSON.stringify(page)}}`;
}
