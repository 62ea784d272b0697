/** The webhook events about flights. */
import { defineEvent } from "../../events/catalog.ts";
import { dataOf } from "../../events/data-of.ts";
import { publicFlight } from "./flights.shapes.ts";
import { flights } from "./flights.tables.ts";

export const flightData = dataOf("flight", publicFlight, flights);
const { schema: data } = flightData;

const example = data.parse({
  flight: {
    id: "01890a5d-ac96-774b-bcce-b302099a8057",
    status: "submitted",
    revision: 1,
    imported: false,
    aircraft: {
      id: "01890a5d-ac96-774b-bcce-b302099a8057",
      registration: "D-EABC",
      model: "Cessna 172S",
      icao_type: "C172",
    },
    nature: "training",
    off_block_at: "2025-06-14T07:10:00.000Z",
    take_off_at: "2025-06-14T07:18:00.000Z",
    landing_at: "2025-06-14T08:06:00.000Z",
    on_block_at: "2025-06-14T08:12:00.000Z",
    departure: "EDFE",
    arrival: "EDKB",
    block_minutes: 62,
    airborne_minutes: 48,
    night_minutes: 0,
    ifr_minutes: 0,
    day_landings: 1,
    night_landings: 0,
    hobbs_start: "1234.50",
    hobbs_end: "1235.50",
    tacho_start: "1100.00",
    tacho_end: "1100.80",
    passengers: 0,
    fuel_uplift_litres: "62.50",
    oil_uplift_litres: null,
    crew: [
      {
        person_id: "01890a5d-ac96-774b-bcce-b302099a8057",
        name: "Anna Berg",
        function: "solo",
        day_landings: 1,
        night_landings: 0,
      },
    ],
    lesson: "13 circuit, approach and landing",
    workshop_remarks: null,
    submitted_at: "2025-06-14T08:30:00.000Z",
    approved_at: null,
    rejected_at: null,
    rejection_reason: null,
    reversed_at: null,
    created_at: "2025-06-14T08:25:00.000Z",
    updated_at: "2025-06-14T08:30:00.000Z",
  },
});

const at = "2025-06-14T09:00:00.000Z";

export const flightSubmitted = defineEvent("flight.submitted", { data, example });

export const flightApproved = defineEvent("flight.approved", {
  data,
  example: data.parse({ flight: { ...example.flight, status: "approved", approved_at: at, updated_at: at } }),
});

export const flightRejected = defineEvent("flight.rejected", {
  data,
  example: data.parse({
    flight: {
      ...example.flight,
      status: "rejected",
      rejected_at: at,
      rejection_reason: "The tacho readings are missing.",
      updated_at: at,
    },
  }),
});
