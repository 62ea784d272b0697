/** Invoices, credit notes and cancellations in the search, by their numbers. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { type MemberActor, permits } from "../../../core/actor.ts";
import { isWholeIn, startsIn, wordsOf } from "../../../core/words.ts";
import type { Match } from "../../../storage/best-matches.ts";
import type { Finder, Search } from "../../../storage/finder.ts";
import { field, fieldsOf, part, shape } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { person as personShape } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { financeNumbers, financeInvoices as table } from "../invoices.tables.ts";
import { invoice } from "./invoices.shapes.ts";

type TenantReader = Reader<"tenant">;

const { id, kind, status, issued_on, gross_minor, currency } = invoice.fields;
const person = part(fieldsOf(personShape, "id", "name"));

const found = shape("FoundInvoice", {
  kind: field(z.literal("invoice"), sql`'invoice'`),
  id,
  title: field(z.string().meta({ description: "The number.", examples: ["INV-2026-00001"] }), table.number),
  invoice_kind: kind,
  status,
  person: field(
    person.schema.meta({ description: "Who owes it." }),
    sql`(select ${person.json} from ${people} where ${people.id} = ${table.person_id})`,
  ),
  issued_on,
  gross_minor,
  currency,
});

const value = sql.placeholder;

/** The numbers of a series and a year have the same length, so the last one is the newest. */
const inRange = sql<[string, string, string]>`select ${found.json}, ${table.number}, ${table.issued_on} from ${table}
  where ${table.number} >= ${value("first")} and ${table.number} < ${value("end")}
  order by ${table.number} desc limit ${value("limit")}`;

const numbered = sql<[string, number]>`select ${financeNumbers.series}, ${financeNumbers.year} from ${financeNumbers}
  order by ${financeNumbers.year} desc`;

/**
 * Returns with what the numbers of a series and a year go on that match all words, if any does. The words of INV-2026-00042 are `inv`,
 * `2026`, `00042` and `inv202600042`.
 */
function restOf(series: string, year: number, words: readonly string[]): string {
  const heads = wordsOf(`${series}-${year}`);
  const joined = `${series}${year}`.toLowerCase().replaceAll("-", "");
  const rests = words
    .filter((word) => !heads.some((head) => head.startsWith(word)))
    .map((word) => (word.startsWith(joined) ? word.slice(joined.length) : word));
  return rests.reduce((longest, rest) => (rest.length > longest.length ? rest : longest), "");
}

interface Numbered {
  json: string;
  number: string;
  issued: string;
}

/** The numbers say where they are, so they need no words, and end in digits. The newest year first, until there are enough. */
async function ofSchool(reader: TenantReader, { words, limit }: Search): Promise<Numbered[]> {
  const invoices = new Map<string, Numbered>();
  let searched: number | undefined;
  for (const [series, year] of await reader.rows(numbered, {})) {
    if (invoices.size >= limit && year !== searched) break;
    searched = year;
    const rest = restOf(series, year, words);
    if (/\D/.test(rest)) continue;
    const first = `${series}-${year}-${rest}`;
    for (const [json, number, issued] of await reader.rows(inRange, { first, end: `${first}:`, limit }))
      invoices.set(number, { json, number, issued });
  }
  return [...invoices.values()].sort((one, other) => other.issued.localeCompare(one.issued));
}

const own = sql<[string, string, string]>`select ${found.json}, ${table.number}, ${table.issued_on} from ${table}
  where ${table.person_id} = (select ${people.id} from ${people} where ${people.user_id} = ${value("userId")})
    and ${table.number} is not null
  order by ${table.issued_on} desc, ${table.id} desc`;

async function find(reader: TenantReader, actor: MemberActor, search: Search): Promise<Match[]> {
  const { words, limit } = search;
  const invoices = permits(actor, "finance:read")
    ? await ofSchool(reader, search)
    : (await reader.rows(own, { userId: actor.userId })).map(([json, number, issued]) => ({ json, number, issued }));
  return invoices
    .map(({ json, number }) => ({ json, words: wordsOf(number) }))
    .filter((one) => startsIn(one.words, words))
    .slice(0, limit)
    .map((one) => ({ json: one.json, isPast: false, isWhole: isWholeIn(one.words, words) }));
}

/** Members without `finance:read` find what was sent to them. */
export const invoiceFinder: Finder = {
  permissions: ["finance:read", "finance:own"],
  found: found.schema,
  find: ({ actor, tenant }, search) => tenant.read((reader) => find(reader, actor, search)),
};
