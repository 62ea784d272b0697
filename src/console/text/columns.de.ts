/** How a spreadsheet in German may name what is imported. */
import type { ColumnTexts } from "./columns.ts";

export const columns: ColumnTexts = {
  people: {
    name: { headings: ["Name"] },
    email: { headings: ["E-Mail", "E-Mail-Adresse", "Mail", "Email"] },
    phone: { headings: ["Telefon", "Telefonnummer"] },
    licence_number: { headings: ["Lizenznummer", "Lizenz"] },
    types: {
      headings: ["Funktion", "Funktionen"],
      values: {
        student: ["Flugschüler", "Flugschülerin", "Schüler", "Schülerin"],
        pilot: ["Pilot", "Pilotin"],
        instructor: ["Fluglehrer", "Fluglehrerin"],
        mechanic: ["Techniker", "Technikerin"],
        staff: ["Mitarbeiter", "Mitarbeiterin"],
      },
    },
  },
  aircraft: {
    registration: { headings: ["Kennzeichen"] },
    model: { headings: ["Muster"] },
    icao_type: { headings: ["ICAO-Kürzel"] },
    serial_number: { headings: ["Werknummer", "Werk-Nr.", "Seriennummer"] },
    hobbs: { headings: ["Hobbs"] },
    tacho: { headings: ["Tacho"] },
    landings: { headings: ["Landungen"] },
    class: {
      headings: ["Klasse"],
      values: {
        SEP: [],
        MEP: [],
        TMG: [],
        SET: [],
        sailplane: ["Segelflugzeug"],
        helicopter: ["Hubschrauber"],
        other: ["Andere"],
        FSTD: ["Simulator"],
      },
    },
  },
};
