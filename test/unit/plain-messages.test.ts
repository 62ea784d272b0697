import { expect, test } from "bun:test";
import { z } from "zod";
import { plainMessage } from "../../src/http/plain-messages.ts";

const kind = z.enum(["ato", "dto", "club"]);

test.each([
  ["something missing", z.object({ name: z.string() }), {}, "Is missing."],
  ["a missing choice", z.object({ kind }), {}, "Is missing."],
  ["another type", z.string(), 7, "Must be text."],
  ["null", z.string(), null, "Must be text."],
  ["no number", z.number(), "7", "Must be a number."],
  ["no whole number", z.int(), 1.5, "Must be a whole number."],
  ["no truth value", z.boolean(), "yes", "Must be true or false."],
  ["no list", z.array(z.string()), {}, "Must be a list."],
  ["no object", z.object({}), [], "Must be an object."],
  ["another choice", kind, "airline", "Must be one of: ato, dto, club."],
  ["another constant", z.literal(true), false, "Must be true."],
  ["no text", z.string().trim().min(1), "  ", "Must not be empty."],
  ["too short a text", z.string().min(3), "ab", "Must have at least 3 characters."],
  ["too long a text", z.string().max(3), "abcd", "Must have at most 3 characters."],
  ["no items", z.array(z.string()).min(1), [], "Must not be empty."],
  ["too many items", z.array(z.string()).max(1), ["a", "b"], "Must have at most 1 item."],
  ["too small a number", z.number().min(5), 4, "Must be at least 5."],
  ["a number at an open limit", z.number().gt(5), 5, "Must be more than 5."],
  ["too big a number", z.number().max(5), 6, "Must be at most 5."],
  ["no multiple", z.number().multipleOf(5), 6, "Must be a multiple of 5."],
  ["another form", z.string().regex(/^a$/), "b", "Invalid format."],
  ["a field too many", z.strictObject({}), { a: 1 }, "There is no such field."],
  ["none of several", z.union([z.string(), z.number()]), true, "Is not valid."],
  ["what its schema has words for", z.string().min(1, "Say it."), "", "Say it."],
] as [string, z.ZodType, unknown, string][])("says of %s what is wrong", (_, schema, value, message) => {
  const { error } = schema.safeParse(value, { error: plainMessage });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
