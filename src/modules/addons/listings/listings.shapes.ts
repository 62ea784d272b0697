import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { userName } from "../../organizations/organizations.shapes.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { addonListings as table } from "../addons.tables.ts";
import { listingFields, reviewStatus, revision } from "./listings.schemas.ts";

const nullAtFirst = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().meta({ examples: [null] });

/** As its organization and the reviewers see it. */
export const listing = shape("AddonListing", {
  ...columns(table, { id: idOf<"listing">() }),
  organization: publisher(table.org_id),
  ...columns(table, { ...listingFields, review_status: reviewStatus }),
  status: field(
    z.enum(["private", "public"]).meta({ description: "`public` exactly while it is approved." }),
    sql`iif(${table.review_status} = 'approved', 'public', 'private')`,
  ),
  ...columns(table, {
    revision: revision.meta({ description: "Advances with each change of anything but `support_email`." }),
    submitted_at: nullAtFirst(instantOut).meta({ description: "When it was last queued for a review." }),
    review_notes: nullAtFirst(z.string()).meta({ description: "Of the last review." }),
    reviewed_by: nullAtFirst(idOf<"user">()).meta({ description: "The account that reviewed it last." }),
    reviewed_at: nullAtFirst(instantOut),
    ...stampsOut,
  }),
  ...names(table, { reviewed_by: userName }),
});

/** As everybody sees an approved one. */
export const publicListing = shape("PublicAddonListing", {
  ...columns(table, { id: idOf<"listing">() }),
  organization: publisher(table.org_id),
  ...columns(table, listingFields),
  approved_at: field(instantOut, table.reviewed_at),
});

export type Listing = Resource<typeof listing>;
