/** The columns of an imported list of aircraft. */
import { z } from "zod";
import type { Columns } from "../../../http/import-table.ts";
import { optionalInputs } from "../../../storage/columns.ts";
import { counters, masterData } from "../fleet.schemas.ts";
import { aircraft } from "../fleet.shapes.ts";

export const AircraftLine = z.strictObject(optionalInputs({ ...masterData, ...counters }));
export type AircraftLine = z.infer<typeof AircraftLine>;

export const aircraftColumns: Columns<AircraftLine> = {
  schema: AircraftLine,
  ignored: Object.keys(aircraft.fields).filter((name) => !(name in AircraftLine.shape)),
};

export const exampleAircraft = `registration,model,icao_type,class,hobbs
D-EXYZ,Cessna 172S,C172,SEP,1234.50
`;
