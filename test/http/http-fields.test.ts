import { expect, test } from "bun:test";
import type { z } from "zod";
import {
  dateField,
  email,
  hourCounter,
  icaoPlace,
  idOf,
  instantField,
  instantOut,
  longText,
  text,
} from "../../src/http/fields.ts";
import { instantQuery, integerQuery, paging } from "../../src/http/query.ts";

const read = (schema: z.ZodType, value: unknown): unknown => schema.parse(value);

test.each<[string, z.ZodType, unknown, unknown]>([
  ["instantField", instantField, "2025-06-14T10:30:00+02:00", "2025-06-14T08:30:00.000Z"],
  ["instantField", instantField, "2025-06-14t08:30:00.123456z", "2025-06-14T08:30:00.123Z"],
  ["instantField", instantField, "2024-02-29T00:00:00-00:30", "2024-02-29T00:30:00.000Z"],
  ["instantField", instantField, "1960-02-29T23:59:59.9999Z", "1960-02-29T23:59:59.999Z"],
  ["instantField", instantField, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["instantField", instantField, "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"],
  ["instantQuery", instantQuery, "2025-06-14T10:30:00 02:00", "2025-06-14T08:30:00.000Z"],
  ["instantOut", instantOut, "2025-06-14T08:30:00.000Z", "2025-06-14T08:30:00.000Z"],
  ["dateField", dateField, "2024-02-29", "2024-02-29"],
  ["text", text(5), "  Ka 8 ", "Ka 8"],
  ["text", text(9), "\u05d0\u05d1 Ł 👩\u200d✈️", "\u05d0\u05d1 Ł 👩\u200d✈️"],
  ["text", text(5), " - ", "-"],
  ["longText", longText(20), " one\n\ttwo ", "one\n\ttwo"],
  ["email", email, " Ada@Example.COM ", "ada@example.com"],
  ["hourCounter().in", hourCounter().in, "1234.05", 123405],
  ["hourCounter().in", hourCounter().in, "0.29", 29],
  ["hourCounter().out", hourCounter().out, "1234.05", "1234.05"],
  ["icaoPlace", icaoPlace, " edtf", "EDTF"],
  ["idOf", idOf(), "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8057"],
  ["limit", paging.limit, undefined, 100],
  ["limit", paging.limit, "500", 500],
  ["offset", paging.offset, undefined, 0],
  ["with_total", paging.with_total, undefined, false],
  ["with_total", paging.with_total, "true", true],
  ["integerQuery", integerQuery(0, 365, 30, "Days."), "0", 0],
])("%s accepts %#", (_, schema, value, expected) => {
  expect(read(schema, value)).toEqual(expected);
});

test.each<[string, z.ZodType, unknown[]]>([
  [
    "instantField",
    instantField,
    [
      "2025-06-14T10:30:00",
      "2025-06-14",
      "2025-02-29T00:00:00Z",
      "2025-06-14T24:00:00Z",
      "2025-06-14T10:60:00Z",
      "2025-06-14T10:30Z",
      "2025-13-01T00:00:00Z",
      "2025-06-14T10:30:00+24:00",
      "2016-12-31T23:59:60Z",
      "2025-06-14T10:30:00.1234567890Z",
      "2025-06-14T10:30:00+02",
      "2025-06-14T10:30:00+02:00[Europe/Berlin]",
      "20250614T103000Z",
      "0000-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01",
      1,
      null,
    ],
  ],
  ["instantQuery", instantQuery, ["2025-06-14", "2025-02-29T00:00:00Z", "9999-12-31T23:59:59-00:01"]],
  ["instantOut", instantOut, ["2025-06-14T08:30:00Z", "2025-06-14T10:30:00.000+02:00"]],
  ["dateField", dateField, ["2025-02-29", "2025-00-10", "2025-04-31", "14.06.2025", "2025-06-14T00:00:00Z"]],
  ["text", text(5), ["", "   ", "123456", "a\nb", "a\u0000b", "a\u009fb", 5]],
  ["text that reads as another", text(9), ["a\u202egnp", "\u2066a", "a\u2069", "a\u200eb", "a\u200fb", "a\u202ab"]],
  ["text that can't be seen", text(9), ["\u200b", "\u00ad", "\u200d\u2060", "\u3164", "\u2800", "\ufe0f"]],
  ["longText", longText(20), ["", "a\u0000b", "a\u001bb"]],
  ["email", email, ["ada", "ada@", "a b@example.com", `${"a".repeat(250)}@example.com`]],
  ["email in letters that lower case turns into ASCII", email, ["\u212aim@example.com", "kim@\u212aim.example"]],
  ["hourCounter().in", hourCounter().in, ["12.3", "12", "-1.00", "1.000", "01.00", "1,00", 12.3, "12345678.00"]],
  ["icaoPlace", icaoPlace, ["EDT", "EDTFX", "1DTF", "ED F"]],
  ["idOf", idOf(), ["01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5dac96774bbcceb302099a8057", ""]],
  ["limit", paging.limit, ["0", "501", "1e2", " 5", "", "NaN", "1.0"]],
  ["with_total", paging.with_total, ["1", "yes", ""]],
])("%s rejects invalid values", (_, schema, values) => {
  for (const value of values) expect([value, schema.safeParse(value).success]).toEqual([value, false]);
});
