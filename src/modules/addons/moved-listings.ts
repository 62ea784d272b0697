/** The add-ons of an organization, when it moves to another installation. */
import { eq } from "drizzle-orm";
import { z } from "zod";
import { email, idOf } from "../../http/fields.ts";
import { movedData, movedInstant } from "../../storage/moved-data.ts";
import { addonListings } from "./addons.tables.ts";
import { materialFields } from "./listings/listings.schemas.ts";

const Listing = z.object({
  ...materialFields,
  event_types: z.array(z.string()).pipe(materialFields.event_types),
  scopes: z.array(z.string()).pipe(materialFields.scopes),
  id: idOf<"listing">(),
  support_email: email,
  revision: z.int(),
  created_at: movedInstant,
  updated_at: movedInstant,
});

/** As drafts: each installation reviews what it publishes. */
export const movedListings = movedData({
  name: "addons",
  schema: z.array(Listing),
  take: async (reader, { orgId }) => reader.select().from(addonListings).where(eq(addonListings.org_id, orgId)),
  async put(tx, taken, { orgId, remarks }) {
    for (const listing of taken) {
      const { slug, name } = listing;
      const row: typeof addonListings.$inferInsert = { ...listing, org_id: orgId, review_status: "draft" };
      const [same] = await tx.select({ id: addonListings.id }).from(addonListings).where(eq(addonListings.slug, slug));
      if (same) remarks.push(`The add-on ${name} stayed behind: there is another one here with its address ${slug}.`);
      else await tx.insert(addonListings).values(row);
    }
  },
});
