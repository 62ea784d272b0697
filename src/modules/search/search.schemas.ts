import { z } from "zod";
import { searchText } from "../../http/query.ts";
import type { Finder } from "../../storage/finder.ts";

export const SearchQuery = z.strictObject({ q: searchText("what is searched", "eabc") });

/** The kinds of records that are found differ in their fields. */
export const foundIn = (finders: readonly Finder[]) =>
  z.strictObject({ data: z.array(z.union(finders.map(({ found }) => found)).meta({ id: "Found" })) });
