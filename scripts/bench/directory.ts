/**
 * A directory with many entries of one type: how long each kind of search takes in process. The goal for each is a p99 under
 * 10 ms.
 *
 *   bun scripts/bench/directory.ts [entries=20000] [rounds=300]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { controlMigrations } from "../../migrations/control/index.ts";
import { toInstant } from "../../src/core/clock.ts";
import { decodeCursor } from "../../src/core/cursor.ts";
import type { Id, OrgId } from "../../src/core/ids.ts";
import { putEntry } from "../../src/modules/directory/entries/put-entry.ts";
import { searchEntries } from "../../src/modules/directory/search/search.queries.ts";
import type { Search } from "../../src/modules/directory/search/search.schemas.ts";
import type { PageRequest } from "../../src/storage/page.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";

const count = Number(process.argv[2] ?? 20_000);
const rounds = Number(process.argv[3] ?? 300);
const schools = 500;
const clock = { now: () => new Date(Date.UTC(2026, 0, 1)) };

const id = <Kind extends string>(kind: number, n: number) =>
  `01890a5d-ac96-774b-8${String(kind).padStart(3, "0")}-${String(n).padStart(12, "0")}` as Id<Kind>;
const orgId = (n: number): OrgId => id(1, n);

/** Pseudo-random numbers below 1, the same in each run. */
let state = 1;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const syllables = ["fli", "gen", "luft", "aero", "schu", "le", "start", "pi", "lot", "nav", "ra", "dio", "ost", "berg"];
const vocabulary = Array.from({ length: 3000 }, (_, n) =>
  [n % 14, Math.floor(n / 14) % 14, Math.floor(n / 196)].map((at) => syllables[at % 14]).join(""),
);
/** Some words are in most texts, most are in few. */
const word = () => vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? "";
const words = (length: number) => Array.from({ length }, word).join(" ");
const one = <T>(values: readonly T[]): T => values[Math.floor(values.length * random())] as T;
const countries = ["DE", "AT", "CH", "FR", "PL"];
const places = Array.from({ length: 300 }, (_, n) => ({
  place: `E${String.fromCharCode(65 + (n % 26))}${String(n).padStart(2, "0").slice(-2)}`,
  latitude: Math.round(36e6 + 24e6 * random()),
  longitude: Math.round(-9e6 + 34e6 * random()),
}));

const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const file = await SqliteFile.open("control", join(directory, "control.db"), controlMigrations, {
  clock,
  onEffectError: console.error,
  fresh: true,
});
try {
  await seed();
  console.log(
    `Load average: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
  );
  console.log(`| of ${count} entries, a page of 100 | found | median, ms | p99, ms | longest, ms |`);
  console.log("| --- | --- | --- | --- | --- |");
  const near = () => {
    const { latitude, longitude } = one(places);
    return { latitude, longitude };
  };
  const rare = () => vocabulary[1500 + Math.floor(1500 * random())] ?? "";
  const common = () => vocabulary[Math.floor(20 * random())] ?? "";
  await measure("all, the first page", () => ({}));
  await measure("all, a page by cursor", cursorPage());
  await measure("all, the page at offset 2000", () => ({ offset: Math.min(2000, count / 2) }));
  await measure("a rare word", () => ({ q: rare() }));
  await measure("a common word", () => ({ q: common() }));
  await measure("a beginning of two letters", () => ({ q: one(syllables).slice(0, 2) }));
  await measure("two common words", () => ({ q: `${common()} ${common()}` }));
  await measure("eight common words", () => ({ q: Array.from({ length: 8 }, common).join(" ") }));
  await measure("a common word and a rare one", () => ({ q: `${common()} ${rare()}` }));
  await measure("a common and a name that is in no such entry", () => ({ q: `${common()} entry zzz` }));
  await measure("a country", () => ({ country: one(countries) }));
  await measure("a country and a word", () => ({ country: one(countries), q: word() }));
  await measure("a place", () => ({ place: one(places).place }));
  await measure("within 50 km", () => ({ place: near(), radius_km: 50 }));
  await measure("within 300 km of a place", () => ({ place: one(places).place, radius_km: 300 }));
  await measure("within 2000 km", () => ({ place: near(), radius_km: 2000 }));
  await measure("a rating", () => ({ rating: one(["FI", "IRI", "CRI", "MI"]) }));
  await measure("a rare rating within 300 km", () => ({ rating: "MI", place: near(), radius_km: 300 }));
  await measure("a class", () => ({ class: one(["SEP", "MEP", "TMG"] as const) }));
} finally {
  await file.close();
  await rm(directory, { recursive: true });
}

function cursorPage(): () => Partial<PageRequest> {
  let next: string | null = null;
  return () => {
    const cursor = next === null ? undefined : decodeCursor(next);
    return {
      cursor,
      note: (body: { page: { next_cursor: string | null } }) => (next = body.page.next_cursor),
    } as never;
  };
}

async function measure(name: string, query: () => Partial<Search & PageRequest>): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let n = 0; n < rounds; n += 1) {
    const { note, ...asked } = query() as Partial<Search & PageRequest> & { note?: (body: unknown) => void };
    const begin = performance.now();
    const body = await file.read((reader) =>
      searchEntries(reader, "instructors", { radius_km: 0, limit: 100, with_total: false, ...asked } as Search &
        PageRequest),
    );
    times.push(performance.now() - begin);
    const parsed = JSON.parse(body.toString());
    found += parsed.data.length;
    note?.(parsed);
  }
  times.sort((one, other) => one - other);
  const part = (share: number) => (times[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0).toFixed(2);
  console.log(`| ${name} | ${Math.round(found / rounds)} | ${part(0.5)} | ${part(0.99)} | ${part(1)} |`);
}

async function seed(): Promise<void> {
  const now = toInstant(clock.now());
  const value = sql.placeholder;
  await file.write(async (tx) => {
    const numbers = Array.from({ length: schools }, (_, n) => ({ org: orgId(n), user: id(2, n), n: `School ${n}` }));
    await tx.each(
      sql`insert into organizations (id, name, kind, time_zone, currency, created_at, updated_at)
        values (${value("org")}, ${value("n")}, 'ato', 'Europe/Berlin', 'EUR', ${now}, ${now})`,
      numbers.map(({ user: _, ...row }) => row),
    );
    await tx.each(
      sql`insert into users (id, email, name, created_at) values (${value("user")}, ${value("n")} || '@example.com', ${value("n")}, ${now})`,
      numbers.map(({ org: _, ...row }) => row),
    );
    await tx.each(
      sql`insert into memberships (org_id, user_id, roles, created_at) values (${value("org")}, ${value("user")}, '["owner"]', ${now})`,
      numbers.map(({ n: _, ...row }) => row),
    );
  });
  for (let n = 0; n < count; n += 500)
    await file.write(async (tx) => {
      for (let at = n; at < Math.min(count, n + 500); at += 1)
        await putEntry(tx, orgId(at % schools), { type: "instructors", id: id(3, at) }, entryOf(at));
    });
}

function entryOf(n: number) {
  return {
    name: `${words(1)} ${words(1)} ${n}`,
    headline: words(6),
    description: words(60),
    country: one(countries),
    languages: ["de", "en"],
    ratings: n % 100 === 0 ? ["MI", "FI"] : [one(["FI", "IRI", "CRI"])],
    class: one(["SEP", "MEP", "TMG"]),
    ...one(places),
  };
}
