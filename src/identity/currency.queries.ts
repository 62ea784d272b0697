import { sql } from "drizzle-orm";
import type { TenantContext } from "../storage/context.ts";
import { lookUp } from "../storage/lookup.ts";
import { organizations } from "./identity.tables.ts";

const byId = lookUp(
  { currency: organizations.currency },
  sql`from ${organizations} where ${organizations.id} = ${sql.placeholder("id")}`,
);

/** Returns the organization's currency, for amounts that are stored with it: a later change of the currency converts none. */
export async function currencyOf({ control, tenant }: Pick<TenantContext, "control" | "tenant">): Promise<string> {
  const organization = await control.read((reader) => byId(reader, { id: tenant.id }));
  if (organization === undefined) throw new Error("Every tenant with a caller has its organization.");
  return organization.currency;
}
