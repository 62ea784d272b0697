/** How charges are raised. */
import { sql } from "drizzle-orm";
import { newIdAt } from "../../../core/ids.ts";
import { netOf, type Price } from "../../../core/money.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { type ChargeRow, financeCharges, financePackages, type PackageId } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";

/** What a charge states. Its net amount follows from quantity and price. */
export type ChargeLine = Price &
  Vat &
  Pick<ChargeRow, "kind" | "rate_id" | "package_id" | "description" | "quantity" | "unit" | "currency"> & {
    status: "open" | "package";
  };

type About = Pick<ChargeRow, "person_id" | "on"> &
  Partial<Pick<ChargeRow, "flight_id" | "enrollment_id" | "created_by">>;

/** Writes a charge. One with the status `package` is drawn from its package. */
export async function raiseCharge(tx: Tx<"tenant">, line: ChargeLine, about: About): Promise<ChargeRow["id"]> {
  const id: ChargeRow["id"] = newIdAt(tx.now);
  const stamps = { created_at: tx.now, updated_at: tx.now };
  await insertRow(tx, financeCharges, { ...line, ...about, id, net_minor: netOf(line.quantity, line), ...stamps });
  if (line.status === "package" && line.package_id) await draw(tx, line.package_id, line.quantity);
  return id;
}

/** Takes hundredths of a minute from a package, or gives negative ones back. The table refuses more than it has. */
export const draw = (tx: Tx<"tenant">, id: PackageId, quantity: number) =>
  tx.run(sql`update ${financePackages} set remaining = remaining - ${quantity}, updated_at = ${tx.now}
    where ${financePackages.id} = ${id}`);
