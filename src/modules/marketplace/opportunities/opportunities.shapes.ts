import { sql } from "drizzle-orm";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, shape } from "../../../storage/shape.ts";
import { publisher } from "../../organizations/publisher.shapes.ts";
import { opportunities as table } from "../marketplace.tables.ts";
import { opportunityFields, opportunityStatus } from "./opportunities.schemas.ts";

/** The status at `present.now`, which the source of the rows has. */
export const statusAtPresent = sql`iif(${table.status} = 'published' and ${table.closes_at} <= present.now,
  'closed', ${table.status})`;

const closes_at = instantOut.meta({ description: "The end of `expires_on` where the organization is." });

const fields = columns(table, {
  id: idOf<"opportunity">(),
  ...opportunityFields,
  closes_at,
  published_at: instantOut.nullable(),
});

export const opportunity = shape("Opportunity", {
  ...fields,
  status: field(opportunityStatus, statusAtPresent),
  ...columns(table, stampsOut),
});

/** As everybody with an account sees it. */
export const openOpportunity = shape("OpenOpportunity", { organization: publisher(table.org_id), ...fields });
