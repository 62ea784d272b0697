/** Derives invalid values from the document: for each field, every kind of fault that its schema excludes. */
import { type ApiDocument, resolve, type Schema, takesNull } from "../../support/document.ts";

/** A marker in invalid values, which must not appear in responses. */
export const SECRET = "s3cr3t-do-not-repeat";

/** An invalid value, and the expected path of its issue. */
export interface Spoiled {
  what: string;
  at: string;
  value: unknown;
}

/** Days and times that do not exist, a time without an offset, and instants outside the years 0000 to 9999. */
const impossibleMoments = [
  "2026-02-30T10:00:00Z",
  "2026-13-01T10:00:00Z",
  "2026-06-00T10:00:00Z",
  "2026-06-14T24:00:00Z",
  "2026-06-14T25:00:00Z",
  "2026-06-14T10:60:00Z",
  "2026-06-14T10:00:61Z",
  "2026-06-14T10:00:00+24:00",
  "10000-01-01T00:00:00Z",
  "+010000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+01:00",
  "2026-06-14T10:00:00",
  "2026-06-14",
  "yesterday",
  "",
];
const impossibleDays = [
  "2026-02-30",
  "2026-13-01",
  "2026-06-00",
  "10000-01-01",
  "14.06.2026",
  "2026-06-14T00:00:00Z",
  "",
];
const UUID_IN_CAPITALS = "01890A5D-AC96-774B-BCCE-B302099A8057";

const wrongFormats: Record<string, readonly string[]> = {
  "date-time": impossibleMoments,
  date: impossibleDays,
  uuid: [SECRET, "", UUID_IN_CAPITALS, "01890a5d-ac96-774b-bcce-b302099a805", "' or 1=1 --"],
  email: [SECRET, "", "ada@", "@example.com", "ada@example.com, bob@example.com", "ada@exa mple.com"],
};

/** Fields that are compared and never shown: any character is allowed, and a wrong value is unequal. */
const opaque = /(^|[._])(password|token|refresh_token)$/;

/** Returns every invalid version of a valid `value` of the schema, each with one fault. */
export function spoil(document: ApiDocument, declared: Schema, value: unknown, at: string): Spoiled[] {
  const schema = resolve(document, declared);
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  const wrong = (what: string, ...values: unknown[]) => values.map((bad) => ({ what, at, value: bad }));
  const nothing = takesNull(declared) ? [] : wrong("null", null);
  switch (type) {
    case "object":
      return [
        ...nothing,
        ...wrong("no object", [], [{}], SECRET, 7, true),
        ...(typeof schema.additionalProperties === "object"
          ? spoilMap(document, schema.additionalProperties, value, at)
          : spoilObject(document, schema, value, at)),
      ];
    case "array":
      return [...nothing, ...wrong("no array", {}, SECRET, 7, true), ...spoilArray(document, schema, value, at)];
    case "string":
      return [...nothing, ...wrong("no text", 7, true, {}, [SECRET], { toString: SECRET }), ...spoilText(schema, at)];
    case "integer":
      return [
        ...nothing,
        ...wrong("no whole number", "1", SECRET, 1.5, true, [], {}, 1e300, -1e300),
        ...spoilNumber(schema, at),
      ];
    case "boolean":
      return [...nothing, ...wrong("no boolean", "true", 0, 1, [], {}, SECRET)];
    default:
      if (schema.const === undefined && schema.enum === undefined)
        throw new Error(`spoil.ts does not know how to spoil ${at}, a ${JSON.stringify(schema)}.`);
      return wrong("none of the values", SECRET, 7, {});
  }
}

function spoilObject(
  document: ApiDocument,
  { properties = {}, required = [] }: Schema,
  value: unknown,
  at: string,
): Spoiled[] {
  if (!isRecord(value)) throw new Error(`The valid body has no object at ${at}.`);
  const spoiled: Spoiled[] = [
    { what: "an unknown field", at: `${at}.no_such_field`, value: { ...value, no_such_field: SECRET } },
    {
      what: "a field in another case",
      at: `${at}.${camel(properties)}`,
      value: { ...value, [camel(properties)]: SECRET },
    },
  ];
  for (const name of required) {
    const { [name]: _, ...rest } = value;
    spoiled.push({ what: "a field missing", at: `${at}.${name}`, value: rest });
  }
  for (const [name, schema] of Object.entries(properties)) {
    const inside = resolve(document, schema).type;
    const given = name in value ? value[name] : undefined;
    // Fields that the valid body omits or leaves empty are only replaced as a whole.
    if ((inside === "object" || inside === "array") && (given === undefined || given === null)) continue;
    for (const inner of spoil(document, schema, given, `${at}.${name}`))
      spoiled.push({ ...inner, value: { ...value, [name]: inner.value } });
  }
  return spoiled;
}

/** An object with arbitrary names: each value is made invalid. */
function spoilMap(document: ApiDocument, schema: Schema, value: unknown, at: string): Spoiled[] {
  if (!isRecord(value)) throw new Error(`The valid body has no object at ${at}.`);
  return Object.entries(value).flatMap(([name, given]) =>
    spoil(document, schema, given, `${at}.${name}`).map((inner) => ({
      ...inner,
      value: { ...value, [name]: inner.value },
    })),
  );
}

const camel = (properties: Record<string, Schema>) => (Object.keys(properties)[0] ?? "").toUpperCase();

function spoilArray(document: ApiDocument, schema: Schema, value: unknown, at: string): Spoiled[] {
  const { items, minItems = 0, maxItems = 400 } = schema;
  // The last: it may name one before it.
  const list: unknown[] = Array.isArray(value) ? value : [];
  const last = list.at(-1) ?? (items && exampleOf(document, items));
  if (last === undefined || !items) throw new Error(`The valid body has nothing in the list at ${at}, and no example.`);
  const spoiled: Spoiled[] = [{ what: "too many", at, value: Array.from({ length: maxItems + 1 }, () => last) }];
  if (minItems > 0) spoiled.push({ what: "none", at, value: [] });
  for (const inner of spoil(document, items, last, `${at}.${Math.max(0, list.length - 1)}`))
    spoiled.push({ ...inner, value: [...list.slice(0, -1), inner.value] });
  return spoiled;
}

/** Returns the example of an item whose list is empty in the valid body. */
function exampleOf(document: ApiDocument, declared: Schema): unknown {
  const { properties, examples } = resolve(document, declared);
  if (!properties) return examples?.[0];
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(document, one)]));
}

function spoilText(schema: Schema, at: string): Spoiled[] {
  const { format = "", minLength = 0, maxLength = 50_000 } = schema;
  const spoiled: Spoiled[] = [
    { what: "too long", at, value: SECRET.repeat(Math.ceil((maxLength + 1) / SECRET.length)).slice(0, maxLength + 1) },
  ];
  for (const value of schema.enum || schema.const ? [SECRET, ""] : (wrongFormats[format] ?? []))
    spoiled.push({ what: "none of its form", at, value });
  if (minLength > 0) spoiled.push({ what: "too short", at, value: "x".repeat(minLength - 1) });
  if (!opaque.test(at))
    for (const value of ["\0", "a\0b", "\u001b[31mred", "a\u0007", "a\u009b", "\ud800", "\ud83d?", " "])
      spoiled.push({ what: "control characters, half a character or nothing but space", at, value });
  return spoiled;
}

function spoilNumber({ minimum, maximum }: Schema, at: string): Spoiled[] {
  const spoiled: Spoiled[] = [];
  if (minimum !== undefined) spoiled.push({ what: "too little", at, value: minimum - 1 });
  if (maximum !== undefined) spoiled.push({ what: "too much", at, value: maximum + 1 });
  return spoiled;
}

/** Returns invalid texts for a query parameter. */
export function spoilQuery(document: ApiDocument, declared: Schema): string[] {
  const schema = resolve(document, declared);
  const { type, format = "", minimum, maximum } = schema;
  if (type === "integer") {
    const beyond = [minimum !== undefined && minimum - 1, maximum !== undefined && maximum + 1];
    return [
      "abc",
      "",
      "1.5",
      "1e2",
      "0x10",
      " 1",
      "1 ",
      "NaN",
      "-",
      "9".repeat(30),
      "%zz",
      SECRET,
      ...beyond.filter((n) => n !== false).map(String),
    ];
  }
  if (type === "boolean") return ["yes", "1", "", "TRUE", SECRET];
  if (schema.enum) {
    const { enum: values } = schema;
    const upper = values.map((value) => String(value).toUpperCase()).find((value) => !values.includes(value));
    return [SECRET, "", "\0", ...(upper === undefined ? [] : [upper])];
  }
  if (format in wrongFormats) return [...(wrongFormats[format] ?? [])];
  // Bun itself answers 431 to a longer one: the line and the headers of a request may have 16 KiB there.
  return ["", "\0", "a\u001b[0m", SECRET.repeat(500)];
}

/** Texts in a path that are not ids. */
export const noIds: readonly string[] = [
  "nonsense",
  "0",
  UUID_IN_CAPITALS,
  "01890a5d-ac96-774b-bcce-b302099a805",
  "01890a5d-ac96-774b-bcce-b302099a80577",
  "01890a5dac96774bbcceb302099a8057",
  "%00",
  "%ZZ",
  "%27%20or%201%3D1%20--",
  "..%2F..%2Fcontrol.db",
  "null",
  "undefined",
  "x".repeat(5000),
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
