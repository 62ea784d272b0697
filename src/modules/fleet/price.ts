import type { TenantContext } from "../../storage/context.ts";
import { findOrganization } from "../organizations/organizations.queries.ts";

interface Price {
  hourly_rate_minor: number | null;
  currency: string | null;
}

/**
 * An hourly rate with the organization's currency of today. It is stored beside the rate: an amount without its
 * currency would become another amount when the organization changes its currency.
 */
export async function priceOf({ control, tenant }: TenantContext, hourlyRateMinor: number | null): Promise<Price> {
  if (hourlyRateMinor === null) return { hourly_rate_minor: hourlyRateMinor, currency: null };
  const organization = await control.read((reader) => findOrganization(reader, tenant.id));
  return { hourly_rate_minor: hourlyRateMinor, currency: organization.value.currency };
}
