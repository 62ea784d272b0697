import { isDeepStrictEqual } from "node:util";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import type { OrgId } from "../../../core/ids.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import type { ReviewStatus, addonListings as table } from "../addons.tables.ts";
import { countOf, listingEntity, requireFreeSlug } from "./listings.queries.ts";
import { type ListingChange, materialFields, type NewListing } from "./listings.schemas.ts";

type Row = typeof table.$inferSelect;

const permission = "addons:manage";

/** Of one organization. */
const MOST = 50;

/** @throws CONFLICT the slug is taken, or the organization has too many */
export const addListing = addVerb(listingEntity, {
  permission,
  async row(tx, fresh, input: NewListing, { orgId }: { orgId: OrgId }) {
    if ((await countOf(tx, orgId)) >= MOST)
      throw conflict("limit_reached", `There are ${MOST} listings already.`, { max: MOST });
    await requireFreeSlug(tx, input.slug);
    return { ...fresh, ...input, org_id: orgId, review_status: "draft" as const, revision: 1 };
  },
});

const isMaterial = (row: Row, change: ListingChange): boolean =>
  Object.entries(change).some(
    ([name, value]) => name in materialFields && !isDeepStrictEqual(value, row[name as keyof Row]),
  );

/**
 * Changes a listing. A material change of an approved one puts it back into the queue. While it is in the queue, it has none:
 * a reviewer decides about what they have read.
 *
 * @throws NOT_FOUND; CONFLICT the slug is taken, or it is being reviewed
 */
export const changeListing = changeVerb(listingEntity, {
  permission,
  action: (row, { change }: { change: ListingChange }) => (requeues(row, change) ? "requeued" : "updated"),
  async set(tx, row, { change }: { change: ListingChange }) {
    if (!isMaterial(row, change)) return change;
    if (row.review_status === "pending_review")
      throw conflict("wrong_status", "The listing is being reviewed. Withdraw it first.", {
        status: row.review_status,
      });
    if (change.slug !== undefined) await requireFreeSlug(tx, change.slug, row.id);
    const revised = { ...change, revision: row.revision + 1 };
    return requeues(row, change)
      ? { ...revised, review_status: "pending_review" as const, submitted_at: tx.now }
      : revised;
  },
});

const requeues = (row: Row, change: ListingChange): boolean =>
  row.review_status === "approved" && isMaterial(row, change);

/** @throws NOT_FOUND; CONFLICT it is in the queue, or approved */
export const submitListing = changeVerb(listingEntity, {
  permission,
  action: "submitted",
  async set(tx, { review_status }) {
    requireOneOf(review_status, "draft", "rejected");
    return { review_status: "pending_review" as const, submitted_at: tx.now };
  },
});

/** @throws NOT_FOUND; CONFLICT it is neither in the queue nor approved */
export const withdrawListing = changeVerb(listingEntity, {
  permission,
  action: "withdrawn",
  async set(_, { review_status }) {
    requireOneOf(review_status, "pending_review", "approved");
    return { review_status: "draft" as const, submitted_at: null };
  },
});

/** @throws NOT_FOUND; CONFLICT it is in the queue, or approved */
export const removeListing = removeVerb(listingEntity, {
  permission,
  async also(_, { review_status }) {
    requireOneOf(review_status, "draft", "rejected");
  },
});

function requireOneOf(present: ReviewStatus, ...allowed: readonly ReviewStatus[]): void {
  if (!allowed.includes(present)) throw wrongStatus("listing", present, ...allowed);
}
