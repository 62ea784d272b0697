import { eq } from "drizzle-orm";
import { conflict, forbidden, invalid, notFound, wrongStatus } from "../../../core/errors.ts";
import type { ListingId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { isOrWasMember } from "../../../identity/memberships.queries.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requirePlatformPermission } from "../../accounts/operator/platform-permissions.queries.ts";
import { addonListings as table } from "../addons.tables.ts";
import { listingEntity } from "../listings/listings.queries.ts";
import type { Listing } from "../listings/listings.shapes.ts";
import { LEAST_NOTES } from "./review.schemas.ts";

export interface Decision {
  listingId: ListingId;
  decision: "approved" | "rejected";
  review_notes?: string;
  /** That the actor read. Without it, the present one is decided. */
  revision?: number;
}

/**
 * Approves or rejects a listing that waits for its review.
 *
 * @throws FORBIDDEN the actor is no reviewer, or is or was a member of the organization that owns the listing
 * @throws NOT_FOUND
 * @throws CONFLICT  it does not wait for a review, or is at another revision
 * @throws VALIDATION_ERROR a rejection's notes are too short
 */
export function reviewListing(
  context: SignedIn,
  { listingId, decision, review_notes, revision }: Decision,
): Promise<JsonOf<Listing>> {
  const { actor, control } = context;
  return control.write(async (tx) => {
    await requirePlatformPermission(tx, actor.userId, "platform_admin.listing:review");
    const [row] = await tx.select().from(table).where(eq(table.id, listingId));
    if (row === undefined) throw notFound();
    if (row.review_status !== "pending_review") throw wrongStatus("listing", row.review_status, "pending_review");
    if (await isOrWasMember(tx, row.org_id, actor.userId))
      throw forbidden("conflict_of_interest", "You are or were a member of the organization that owns the listing.");
    if (revision !== undefined && revision !== row.revision)
      throw conflict("revision_changed", `The listing has changed: it is at revision ${row.revision}. Read it again.`, {
        revision: row.revision,
      });
    if (decision === "rejected" && (review_notes?.length ?? 0) < LEAST_NOTES)
      throw invalid({
        path: "review_notes",
        code: "too_short",
        params: { min: LEAST_NOTES },
        message: `Must have at least ${LEAST_NOTES} characters, without spaces around them.`,
      });
    return changeRow(tx, context, listingEntity, {
      id: listingId,
      action: `addon_listing.${decision}`,
      orgId: row.org_id,
      set: {
        review_status: decision,
        review_notes: review_notes ?? null,
        reviewed_by: actor.userId,
        reviewed_at: tx.now,
        updated_at: tx.now,
      },
    });
  });
}
