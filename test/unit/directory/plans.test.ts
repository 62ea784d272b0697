/** Lists of the directory are read in the order of an index. */
import { expect, test } from "bun:test";
import { listModerated } from "../../../src/modules/directory/moderation/moderation.queries.ts";
import { searchEntries } from "../../../src/modules/directory/search/search.queries.ts";
import type { Search } from "../../../src/modules/directory/search/search.schemas.ts";
import { areInOrderOfAnIndex, id, type List, newStorage, page } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("the directory is read in the order of an index, and searched by the index of words and of coordinates", async () => {
  const { control } = await newStorage();
  const usual = { radius_km: 0, with_total: false } as const;
  const by =
    (filter: Partial<Search>): List<"control"> =>
    (reader, page) =>
      searchEntries(reader, "aircraft", { ...usual, ...page, ...filter });
  const ranked = ["rank,name,id", 11_000, "A", id()];
  const index = (name: string, column: string) =>
    new RegExp(`directory_entries USING INDEX directory_entries_${name} \\(type=\\?${column}`);
  await areInOrderOfAnIndex(control, [
    [index("list", ""), ranked, by({})],
    [index("country", " AND country=\\?"), ranked, by({ country: "DE" })],
    [index("place", " AND place=\\?"), ranked, by({ place: "EDFE" })],
    [index("class", " AND class=\\?"), ranked, by({ class: "SEP" })],
  ]);
  const moderated: List<"control"> = (reader, page) =>
    listModerated(reader, { ...page, type: "schools", status: "suspended" });
  await areInOrderOfAnIndex(control, [[index("moderation", " AND status=\\?"), ["id", id()], moderated]]);
  const planWith = (filter: Partial<Search>) =>
    control.read((reader) => planOf(reader, (reader) => by(filter)(reader, page))).then((plan) => plan.join("\n"));
  // Few entries match: SQLite sorts them.
  const word = "directory_words USING COVERING INDEX directory_words_word (type=? AND word>? AND word<?)";
  expect(await planWith({ q: "flight", country: "DE" })).toContain(word);
  expect(await planWith({ rating: "FI" })).toContain("directory_words_word (type=? AND word=?)");
  const near = { place: { latitude: 50e6, longitude: 8e6 }, radius_km: 50 };
  expect(await planWith(near)).toContain("directory_entries_coordinates (type=? AND latitude>? AND latitude<?)");
});
