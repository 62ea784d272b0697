/** How a spreadsheet in English may name what is imported. The API's own names are always understood. */
import type { ColumnTexts } from "./columns.ts";

export const columns: ColumnTexts = {
  people: {
    name: { headings: ["Name"] },
    email: { headings: ["E-mail", "E-mail address", "Email address"] },
    phone: { headings: ["Phone", "Telephone"] },
    licence_number: { headings: ["Licence number", "Licence"] },
    types: {
      headings: ["Function", "Type"],
      values: { student: [], pilot: [], instructor: [], mechanic: [], staff: [] },
    },
  },
  aircraft: {
    registration: { headings: ["Registration"] },
    model: { headings: ["Model"] },
    icao_type: { headings: ["ICAO type"] },
    serial_number: { headings: ["Serial number", "S/N"] },
    hobbs: { headings: ["Hobbs"] },
    tacho: { headings: ["Tacho", "Tach"] },
    landings: { headings: ["Landings"] },
    class: {
      headings: ["Class"],
      values: { SEP: [], MEP: [], TMG: [], SET: [], sailplane: [], helicopter: [], other: [], FSTD: ["Simulator"] },
    },
  },
};
