/** What an organization offers, when it moves to another installation. */
import { eq } from "drizzle-orm";
import { z } from "zod";
import { countryCode, dateField, idOf } from "../../http/fields.ts";
import { movedData, movedInstant } from "../../storage/moved-data.ts";
import { opportunities, opportunityKinds, opportunityStatuses } from "./marketplace.tables.ts";

const Opportunity = z.object({
  id: idOf<"opportunity">(),
  kind: z.enum(opportunityKinds),
  status: z.enum(opportunityStatuses),
  title: z.string(),
  description: z.string(),
  place: z.string().nullable(),
  country: countryCode,
  starts_on: dateField.nullable(),
  ends_on: dateField.nullable(),
  expires_on: dateField,
  closes_at: movedInstant,
  compensation: z.string().nullable(),
  requirements: z.string().nullable(),
  published_at: movedInstant.nullable(),
  created_at: movedInstant,
  updated_at: movedInstant,
});

/** Applications stay: they are those of accounts of the installation, few of which are the school's members. */
export const movedOpportunities = movedData({
  name: "marketplace",
  schema: z.array(Opportunity),
  async take(reader, { orgId }) {
    const rows = await reader.select().from(opportunities).where(eq(opportunities.org_id, orgId));
    return rows.map(({ org_id: _, ...row }) => row);
  },
  async put(tx, taken, { orgId }) {
    const rows: (typeof opportunities.$inferInsert)[] = taken.map((row) => ({ ...row, org_id: orgId }));
    for (const row of rows) await tx.insert(opportunities).values(row);
  },
});
