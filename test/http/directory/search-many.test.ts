/** The public search over many entries, against a model: few are sorted, many are looked for in the list. */
import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, times } from "../../support/school.ts";

const MANY = 12_000;

/** An entry has each of these words whose number divides its own: all entries, 6000, 2400, 240, or 6 have it. */
const words = { every: 1, second: 2, fifth: 5, fiftieth: 50, rare: 2000 };
/** `fif` begins two words, of which some entries have both. */
const terms: [string, number][] = [...Object.entries(words), ["sec", 2], ["fif", 5]];

interface Asked {
  chosen: [string, number][];
  isNear: boolean;
  country: string | undefined;
  offset: number;
}

let installation: Installation;
beforeAll(async () => {
  installation = await newInstallation();
  const { orgId } = await newSchool(installation);
  await installation.storage.control.write(async (tx) => {
    await tx.run(sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MANY})
      insert into directory_entries (rowid, id, type, org_id, listed, status, featured, sort_priority, rank, name, country,
        latitude, longitude, updated_at)
      select n, printf('01890a5d-ac96-774b-8000-%012d', n), 'aircraft', ${orgId}, 1, 'published', 0, 0, 11000 - n % 2,
        printf('Entry %05d', n), iif(n % 3 = 0, 'DE', 'AT'), iif(n % 7 = 0, 50000000, 10000000), 8000000, ${tx.now}
      from numbers`);
    for (const [word, divisor] of Object.entries(words))
      await tx.run(sql`insert into directory_words (entry, word, type)
        select rowid, ${word}, type from directory_entries where rowid % ${divisor} = 0`);
  });
});

const inOrder = times(MANY, (n) => n + 1).sort((one, other) => (other % 2) - (one % 2) || one - other);

test("words, countries and distances that few, many and very many entries match find the same as a model", async () => {
  const search: fc.Arbitrary<Asked> = fc.record({
    chosen: fc.subarray(terms),
    isNear: fc.boolean(),
    country: fc.constantFrom(undefined, "DE", "AT"),
    offset: fc.constantFrom(0, 30),
  });
  let asked = 0;
  const isAsModel = async ({ chosen, isNear, country, offset }: Asked) => {
    const query = new URLSearchParams({ limit: "50", offset: String(offset), with_total: "true" });
    if (chosen.length > 0) query.set("q", chosen.map(([term]) => term).join(" "));
    if (isNear) query.set("place", "50,8");
    if (country !== undefined) query.set("country", country);
    asked += 1;
    const answer = await installation.call("GET", `/public/directory/aircraft?${query}`, { from: `192.0.2.${asked}` });
    const expected = inOrder.filter(
      (n) =>
        chosen.every(([, divisor]) => n % divisor === 0) &&
        (!isNear || n % 7 === 0) &&
        (country === undefined || (n % 3 === 0) === (country === "DE")),
    );
    const { data, page } = expectStatus(200, answer).body;
    expect(page.total).toBe(expected.length);
    const found = data.map(({ name }: { name: string }) => Number(name.slice("Entry ".length)));
    expect(found).toEqual(expected.slice(offset, offset + 50));
  };
  await fc.assert(fc.asyncProperty(search, isAsModel), { numRuns: 80 });
});
