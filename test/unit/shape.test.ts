/** The JSON that SQLite builds from a shape matches the shape's schema. */
import { afterEach, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import { z } from "zod";
import { ascending, pageBody } from "../../src/storage/page.ts";
import { bool, field, hundredths, json, lateField, part, resource, shape } from "../../src/storage/shape.ts";
import type { Reader } from "../../src/storage/store.ts";
import { newNotes, notes } from "../storage/rows.ts";
import { cleanUp } from "../storage/temporary.ts";

afterEach(cleanUp);

const note = shape("Note", {
  id: field(z.int(), notes.id),
  text: field(z.string(), notes.text),
});

const all = { from: notes, orderBy: ascending(note, "id"), limit: 100, offset: 0, with_total: false };

async function fileWith(...texts: string[]) {
  const file = await newNotes();
  if (texts.length > 0) await file.write((tx) => tx.insert(notes).values(texts.map((text) => ({ text }))));
  return file;
}

/** Returns SQLite's JSON for one value. */
const madeOf = async (reader: Reader, value: SQL): Promise<unknown> => {
  const made = shape("Made", { value: field(z.unknown(), value) });
  return (await resource(reader, made, { from: sql`(select 1)` })).value;
};

test("a resource has the stored values, with any characters, and matches its schema", async () => {
  const file = await fileWith();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (text) => {
      fc.pre(!text.includes("\0") && text.isWellFormed());
      await file.write(async (tx) => {
        await tx.delete(notes);
        await tx.insert(notes).values({ id: 7, text });
      });
      const made = await file.read((reader) => resource(reader, note, { from: notes }));
      expect(made).toEqual({ id: 7, text });
      expect(note.schema.parse(made)).toEqual(made);
      expect(JSON.parse(String(await file.read((reader) => pageBody(reader, note, all)))).data).toEqual([
        { id: 7, text },
      ]);
    }),
    { numRuns: 50 },
  );
});

test("a shape makes the schema of a late field when its own schema is first used, once", () => {
  let made = 0;
  const late = lateField(() => {
    made += 1;
    return z.string();
  }, notes.text);
  const { schema } = shape("Late", { text: late });
  expect(made).toBe(0);
  expect(schema.parse({ text: "one" })).toEqual({ text: "one" });
  expect(schema.shape.text).toBe(late.schema);
  expect(made).toBe(1);
});

test("resource throws NOT_FOUND when no row matches", async () => {
  const file = await fileWith("one");
  const missing = file.read((reader) => resource(reader, note, { from: notes, where: sql`${notes.id} = 9` }));
  await expect(missing).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a shape's schema is strict and has its name; a part's schema has no name", () => {
  expect(note.schema.safeParse({ id: 1, text: "", more: true }).success).toBeFalse();
  expect(note.schema.meta()).toEqual({ id: "Note" });
  expect(part({ id: field(z.int(), notes.id) }).schema.meta()).toBeUndefined();
});

test("booleans, JSON and hundredths have their JSON types", async () => {
  const file = await fileWith();
  await file.read(async (reader) => {
    expect(await madeOf(reader, bool(sql`1`))).toBeTrue();
    expect(await madeOf(reader, bool(sql`0`))).toBeFalse();
    expect(await madeOf(reader, json(sql`'["SEP",{"night":true}]'`))).toEqual(["SEP", { night: true }]);
    expect(await madeOf(reader, hundredths(sql`null`))).toBeNull();
    for (const [stored, shown] of [
      [0, "0.00"],
      [5, "0.05"],
      [50, "0.50"],
      [123456, "1234.56"],
      [99999999, "999999.99"],
    ] as const)
      expect(await madeOf(reader, hundredths(sql`${stored}`))).toBe(shown);
  });
});

test("pages of any size contain each row once, and has_more is correct", async () => {
  const texts = Array.from({ length: 7 }, (_, index) => `note ${index}`);
  const file = await fileWith(...texts);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.boolean(), async (limit, with_total) => {
      const seen: string[] = [];
      for (let offset = 0; ; offset += limit) {
        const body = JSON.parse(
          String(await file.read((reader) => pageBody(reader, note, { ...all, limit, offset, with_total }))),
        );
        seen.push(...body.data.map(({ text }: { text: string }) => text));
        const has_more = offset + limit < texts.length;
        expect(body.page).toEqual({
          limit,
          offset,
          has_more,
          next_cursor: has_more ? expect.any(String) : null,
          ...(with_total && { total: texts.length }),
        });
        if (!body.page.has_more) break;
      }
      expect(seen).toEqual(texts);
    }),
  );
});

test("an empty list and a page beyond the end have no rows", async () => {
  const file = await fileWith("one");
  const body = async (more: object) =>
    JSON.parse(String(await file.read((reader) => pageBody(reader, note, { ...all, with_total: true, ...more }))));
  expect(await body({ where: sql`${notes.text} = 'nothing'` })).toEqual({
    data: [],
    page: { limit: 100, offset: 0, has_more: false, next_cursor: null, total: 0 },
  });
  expect(await body({ offset: 5 })).toEqual({
    data: [],
    page: { limit: 100, offset: 5, has_more: false, next_cursor: null, total: 1 },
  });
});
