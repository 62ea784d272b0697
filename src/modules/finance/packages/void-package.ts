import { conflict } from "../../../core/errors.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { PackageId } from "../finance.tables.ts";
import { packageEntity } from "./packages.queries.ts";

/** Ends a package whose sale is reversed. @throws CONFLICT flights were drawn from it */
export async function voidPackage(tx: Tx<"tenant">, by: By, packageId: PackageId): Promise<void> {
  const { quantity, remaining } = await packageEntity.row(tx, { packageId });
  if (remaining < quantity)
    throw conflict("package_drawn", "Flights were drawn from the package. Add a credit for what is left by hand.");
  await changeRow(tx, by, packageEntity, {
    id: packageId,
    action: "finance_package.voided",
    set: { voided_at: tx.now, updated_at: tx.now },
  });
}
