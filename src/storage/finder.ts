/** What a module finds by the words that somebody types: the search over all records is made of the finders of all modules. */
import type { z } from "zod";
import type { Permission } from "../core/permissions.ts";
import type { Match, Wanted } from "./best-matches.ts";
import type { InOrganization } from "./context.ts";

/** Its words are those of `q`. */
export interface Search extends Wanted {
  q: string;
}

export interface Finder {
  /** The caller needs one of them. */
  readonly permissions: readonly [Permission, ...Permission[]];
  /** What it finds, as JSON: with `kind`, `id` and `title`. */
  readonly found: z.ZodObject;
  /** Returns what the caller may see and matches each word, the best match first. */
  find(context: InOrganization, search: Search): Promise<Match[]>;
}
