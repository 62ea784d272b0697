import { and, eq, ne, sql } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import type { ListingId, OrgId } from "../../../core/ids.ts";
import { wordsIn } from "../../../core/words.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, listOf, type PageRequest, pageBody } from "../../../storage/page.ts";
import { hasWords, searchable } from "../../../storage/search-words.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { isManaged } from "../../organizations/usable.queries.ts";
import { isApproved, type ReviewStatus, addonListings as table } from "../addons.tables.ts";
import { listing, publicListing } from "./listings.shapes.ts";

type ControlReader = Reader<"control">;

export const listingWords = searchable({ list: "addon_listing", from: table, id: table.id, texts: [table.name] });

export const listingEntity = entityOf("addon_listing", {
  database: "control",
  table,
  shape: listing,
  path: { orgId: table.org_id, listingId: table.id },
  words: listingWords,
});

/** Returns JSON text, the newest first. Filters by `org_id`. */
export const listListings = listOf(listing, { from: table, orderBy: descending(listing, "id") });

const longestWaiting = ascending(listing, "submitted_at", "id");

/** Returns JSON text: those of all organizations, those that wait longest first. */
export const listQueue = (
  reader: ControlReader,
  { review_status, ...page }: { review_status: ReviewStatus } & PageRequest,
) =>
  pageBody(reader, listing, {
    ...page,
    from: table,
    where: eq(table.review_status, review_status),
    orderBy: longestWaiting,
  });

const byName = ascending(publicListing, "name", "id");

interface PublicFilter {
  category?: string | undefined;
  /** Words of the name. */
  q?: string | undefined;
}

/** Returns JSON text: the approved ones, sorted by name. With `q`, SQLite sorts what it finds. */
export function listPublic(reader: ControlReader, { category, q, ...page }: PublicFilter & PageRequest) {
  // With `q`, the ids that the words find are few. The `+` keeps SQLite from the order of names.
  const plus = sql.raw(q === undefined ? "" : "+");
  const where = and(
    sql`${plus}${isApproved}`,
    isManaged(table.org_id),
    category === undefined ? undefined : sql`${plus}${table.category} = ${category}`,
    q === undefined ? undefined : hasWords(listingWords, wordsIn(q)),
  );
  return pageBody(reader, publicListing, { ...page, from: table, where, orderBy: byName });
}

/** @throws NOT_FOUND there is none, or it is not approved */
export const findPublic = resourceBy(publicListing, {
  from: table,
  where: and(eq(table.slug, sql.placeholder("slug")), isApproved, isManaged(table.org_id)),
});

/** @throws CONFLICT another listing has the slug */
export async function requireFreeSlug(reader: ControlReader, slug: string, id?: ListingId): Promise<void> {
  const others = await reader.$count(table, and(eq(table.slug, slug), id && ne(table.id, id)));
  if (others > 0) throw conflict("slug_taken", "There is already an add-on listing with this slug.");
}

export const countOf = (reader: ControlReader, orgId: OrgId): Promise<number> =>
  reader.$count(table, eq(table.org_id, orgId));
