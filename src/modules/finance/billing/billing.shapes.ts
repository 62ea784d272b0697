import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { field, shape } from "../../../storage/shape.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { flights } from "../../flights/flights.tables.ts";
import { personName } from "../../people/people.shapes.ts";
import { financeFlights as table } from "../finance.tables.ts";
import { missing, payer } from "./billing.schemas.ts";

export const unbilledFlight = shape("UnbilledFlight", {
  ...columns(table, {
    flight_id: idOf<"flight">(),
    on: dateField.meta({ description: "The day of on-block.", examples: ["2026-06-14"] }),
    missing,
    payer_id: payer,
    updated_at: instantOut,
  }),
  ...names(table, { payer_id: personName }),
  registration: field(
    z.string().meta({ examples: ["D-EABC"] }),
    sql`(select ${aircraft.registration} from ${flights} join ${aircraft} on ${aircraft.id} = ${flights.aircraft_id}
      where ${flights.id} = ${table.flight_id})`,
  ),
});
