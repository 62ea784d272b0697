import { z } from "zod";
import { longText } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { reviewStatus, revision } from "../listings/listings.schemas.ts";

/** Characters of a rejection's notes, without spaces around them. */
export const LEAST_NOTES = 40;

const review_notes = longText(4000).meta({
  description: "For the organization.",
  examples: ["The description does not say which data leaves the school."],
});

const read = revision.exactOptional().meta({
  description: "The revision that the reviewer read. 409: the listing has changed since.",
  examples: [1],
});

export const Approval = z
  .strictObject({ review_notes: review_notes.exactOptional(), revision: read })
  .meta({ id: "AddonApproval" });

/** The verb checks the length: whether the listing can be decided at all comes first. */
export const Rejection = z
  .strictObject({
    review_notes: review_notes.meta({
      description: `What must be put right: at least ${LEAST_NOTES} characters, without spaces around them.`,
    }),
    revision: read,
  })
  .meta({ id: "AddonRejection" });

export const QueueQuery = z.strictObject({
  ...paging,
  review_status: reviewStatus.default("pending_review"),
});
