import { eq } from "drizzle-orm";
import type { TenantContext } from "../../storage/context.ts";
import { organizations } from "../organizations/organizations.tables.ts";

interface Price {
  hourlyRateMinor: number | null;
  currency: string | null;
}

/**
 * An hourly rate with the organization's currency of today. It is stored beside the rate: an amount without its
 * currency would become another amount when the organization changes its currency.
 */
export async function priceOf({ control, tenant }: TenantContext, hourlyRateMinor: number | null): Promise<Price> {
  if (hourlyRateMinor === null) return { hourlyRateMinor, currency: null };
  const [organization] = await control.read((reader) =>
    reader.select({ currency: organizations.currency }).from(organizations).where(eq(organizations.id, tenant.id)),
  );
  if (organization === undefined) throw new Error("The tenant has no organization.");
  return { hourlyRateMinor, currency: organization.currency };
}
