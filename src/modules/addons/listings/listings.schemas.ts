import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { issueCodes } from "../../../core/issues.ts";
import { subscribableTypes } from "../../../events/catalog.ts";
import { email, idOf, isDistinct, longText, text, webAddress } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { scopeName } from "../../integrations/api-keys/api-keys.schemas.ts";
import { categories, reviewStatuses } from "../addons.tables.ts";

export const slug = z
  .string()
  .min(3)
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, formats.slug)
  .meta({ description: "Its name in addresses, unique among all listings.", examples: ["flight-costs"] });

export const category = z.enum(categories).meta({ examples: ["accounting"] });

/** What a reviewer judges: a change of one of these puts an approved listing back into the queue. */
export const materialFields = {
  name: text(80).meta({ examples: ["Flight costs"] }),
  slug,
  summary: text(200).meta({ examples: ["Books approved flights in the accounts of the school."] }),
  description: longText(8000).meta({ examples: ["Reads approved flights and posts their costs."] }),
  category,
  homepage_url: webAddress("https://addons.example.com/flight-costs"),
  icon_url: webAddress("https://addons.example.com/flight-costs.png").nullable(),
  pricing: text(200)
    .nullable()
    .meta({ examples: ["20 EUR a month"] }),
  event_types: z
    .array(z.enum(subscribableTypes))
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "The types of events that it takes by webhook.", examples: [["flight.approved"]] }),
  scopes: z
    .array(scopeName)
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "The scopes that its API key needs.", examples: [["public.flights:read"]] }),
};

export const listingFields = { ...materialFields, support_email: email };

export const reviewStatus = z.enum(reviewStatuses).meta({ examples: ["pending_review"] });

export const revision = z
  .int()
  .min(1)
  .meta({ examples: [1] });

export const NewListing = newOf("NewAddonListing", listingFields);
export type NewListing = z.infer<typeof NewListing>;
export const ListingChange = changeOf("AddonListingChange", listingFields);
export type ListingChange = z.infer<typeof ListingChange>;

export const ListingListQuery = z.strictObject({ ...paging, review_status: reviewStatus.optional() });

export const ListingRef = z.object({ listingId: idOf<"listing">() });
