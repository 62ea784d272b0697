import { conflict, invalid } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { Imported } from "../../../core/imports.ts";
import { readLine } from "../../../http/import-line.ts";
import type { Table } from "../../../http/import-table.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { addRow, changeRow } from "../../../storage/entity.ts";
import { type Importer, importLines } from "../../../storage/import-lines.ts";
import { announce } from "../../../storage/occasions.ts";
import { announceChange } from "../announce-change.ts";
import { newAircraft } from "../create-aircraft.ts";
import { aircraftAdded } from "../fleet.occasions.ts";
import { type AircraftRow, aircraftEntity, findByRegistration } from "../fleet.queries.ts";
import { NewAircraft } from "../fleet.schemas.ts";
import { priced, requireSameKind } from "../master-data.ts";
import type { AircraftLine } from "./import.schemas.ts";

/**
 * Adds and changes aircraft from a table. The caller has read its lines.
 *
 * @throws FORBIDDEN
 */
export function importAircraft(
  context: TenantContext,
  table: Table<AircraftLine>,
  isTrial: boolean,
): Promise<Imported> {
  return importLines(context, importer, { ...table, isTrial });
}

const importer: Importer<AircraftRow, AircraftLine, NewAircraft> = {
  permission: "aircraft:manage",
  kept: ["registration", "hobbs", "tacho", "airframe_minutes", "landings"],
  foundBy: ["registration"],
  affects: {},
  asNew: (raw) => readLine<NewAircraft>(NewAircraft, raw),
  async begin(context) {
    const currency = await currencyOf(context);
    return async (tx) => ({
      async find({ registration }) {
        if (registration !== undefined) return findByRegistration(tx, registration);
        throw invalid({ path: "registration", code: "required", message: "Is missing." });
      },
      async add(added) {
        const row = newAircraft({ id: newId<"aircraft">(context.clock), now: tx.now }, added, currency);
        await addRow(tx, context, aircraftEntity, {
          action: "aircraft.created",
          row,
          also: () => announce(tx, aircraftAdded, { id: row.id }),
        });
        return row.id;
      },
      async change(row, change) {
        if (row.status === "archived")
          throw conflict("aircraft_archived", 'The aircraft is archived. Undo that with the status "available".');
        await requireSameKind(tx, row, change);
        const { registration: _r, hobbs: _h, tacho: _t, airframe_minutes: _a, landings: _l, ...masterData } = change;
        const price = masterData.hourly_rate_minor === undefined ? {} : priced(masterData.hourly_rate_minor, currency);
        const set = { ...masterData, ...price, updated_at: tx.now };
        const after = await changeRow(tx, context, aircraftEntity, { id: row.id, action: "aircraft.updated", set });
        await announceChange(tx, context, row, after.value);
      },
    });
  },
};
