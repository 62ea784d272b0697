import { userIdOf } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import { today } from "../../../storage/today.ts";
import { addVerb, changeVerb } from "../../../storage/verbs.ts";
import { raiseCharge } from "../charges/write-charges.ts";
import { requireCustomer } from "../customers/require-customer.ts";
import { vatIn } from "../finance.fields.ts";
import type { PackageId } from "../finance.tables.ts";
import { requireTargets, validityIssues } from "../rates/rate-rules.ts";
import { vatOf } from "../settings/settings.ts";
import { packageEntity } from "./packages.queries.ts";
import type { NewPackage, PackageChange } from "./packages.schemas.ts";

const permission = "finance:manage";

/** Sells a package in the organization's currency, and raises its charge. @throws VALIDATION_ERROR */
export const sellPackage = addVerb(packageEntity, {
  permission,
  action: "sold",
  before: async (context) => ({ currency: await currencyOf(context), created_by: userIdOf(context.actor) }),
  async row(tx, fresh, input: NewPackage, _, { currency }) {
    const valid_from = input.valid_from ?? toLegalDate(await today(tx, tx.now));
    throwIfAny([...targetIssues(input), ...validityIssues({ ...input, valid_from })]);
    await requireCustomer(tx, input.person_id);
    await requireTargets(tx, input);
    return { ...fresh, ...input, valid_from, ...(await vatOf(tx, input)), remaining: input.quantity, currency };
  },
  async also(tx, id: PackageId, { currency, created_by }) {
    const sold = await packageEntity.row(tx, { packageId: id });
    const { person_id, name, price_minor } = sold;
    const price = { quantity: 100, unit: "piece", unit_price_minor: price_minor, price_per: 1, currency } as const;
    await raiseCharge(
      tx,
      {
        kind: "package",
        status: "open",
        rate_id: null,
        package_id: id,
        description: name,
        ...price,
        ...vatIn(sold),
      },
      { person_id, on: toLegalDate(await today(tx, tx.now)), created_by },
    );
  },
});

function targetIssues({ uses, aircraft_id, icao_type }: NewPackage): Issue[] {
  const report = (message: string): Issue[] => [{ path: "icao_type", code: "impossible", message }];
  if (uses === "instructor" && (aircraft_id ?? icao_type) !== null) return report("Instructor time has no aircraft.");
  return aircraft_id !== null && icao_type !== null ? report("Name the aircraft or the type.") : [];
}

/** @throws VALIDATION_ERROR it would end before it begins */
export const changePackage = changeVerb(packageEntity, {
  permission,
  async set(_tx, row, { change }: { change: PackageChange }) {
    throwIfAny(validityIssues({ ...row, ...change }));
    return change;
  },
});
