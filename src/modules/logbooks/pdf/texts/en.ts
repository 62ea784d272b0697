/** What logbooks and journey logs say in English, and what there is to say. */
import type { BookWords } from "../../../../pdf/book.ts";
import type { JourneyEntry } from "../../journey.shapes.ts";
import type { LogbookEntry } from "../../logbook.shapes.ts";

export type CrewFunction = LogbookEntry["function"];

export interface LogTexts {
  words: BookWords;
  /** @param parts the bounds of the period, none for all */
  period(parts: { from?: string | undefined; before?: string | undefined }): string;
  functions: Readonly<Record<CrewFunction, string>>;
  date: string;
  departure: string;
  arrival: string;
  place: string;
  landings: string;
  byDay: string;
  byNight: string;
  logbook: {
    title: string;
    /** Beside the name of the holder. */
    licence(number: string): string;
    address: string;
    signature: string;
    legend: readonly string[];
    /** Whose PIC time it is: the holder's. */
    self: string;
    time: string;
    aircraft: string;
    model: string;
    registration: string;
    singlePilot: string;
    multiPilot: string;
    total: string;
    picName: string;
    condition: string;
    pilotFunction: string;
    coPilot: string;
    dual: string;
    instructor: string;
    session: string;
    sessionType: string;
    sessionNumber: string;
    remarks: string;
  };
  journey: {
    title: string;
    signature: string;
    defect(description: string): string;
    crew: string;
    nature: string;
    natures: Readonly<Record<NonNullable<JourneyEntry["nature"]>, string>>;
    offBlock: string;
    takeOff: string;
    landing: string;
    onBlock: string;
    time: string;
    block: string;
    airborne: string;
    uplift: string;
    fuel: string;
    oil: string;
    passengers: string;
    airframe: string;
    noticed: string;
  };
}

export const en: LogTexts = {
  words: {
    page: (number, count) => `Page ${number} of ${count}`,
    totals: { page: "Total this page", before: "Brought forward", all: "Total to date" },
  },
  period({ from, before }) {
    const bounds = [from && `from ${from}`, before && `before ${before}`].filter(Boolean);
    return `${bounds.length === 0 ? "All flights" : `Flights ${bounds.join(" and ")}`}. Times and dates are in UTC.`;
  },
  functions: {
    pic: "PIC",
    solo: "solo",
    spic: "SPIC",
    picus: "PICUS",
    co_pilot: "co-pilot",
    dual: "dual",
    instructor: "instructor",
  },
  date: "Date",
  departure: "Departure",
  arrival: "Arrival",
  place: "Place",
  landings: "Landings",
  byDay: "Day",
  byNight: "Night",
  logbook: {
    title: "Pilot logbook",
    licence: (number) => `licence ${number}`,
    address: "Address",
    signature: "I certify that the entries in this log are true. Signature of the pilot",
    legend: [
      "Solo, SPIC (student pilot-in-command) and PICUS (pilot-in-command under supervision) count as PIC. The instructor countersigns SPIC, the PIC countersigns PICUS, with the licence number (AMC1 FCL.050).",
      "FSTD session: the type of the training device and the number of its qualification certificate; dual and instructor: instruction in it.",
    ],
    self: "SELF",
    time: "Time",
    aircraft: "Aircraft",
    model: "Make, model",
    registration: "Registration",
    singlePilot: "Single-pilot",
    multiPilot: "Multi pilot",
    total: "Total time",
    picName: "Name of PIC",
    condition: "Condition",
    pilotFunction: "Pilot function",
    coPilot: "Co-pilot",
    dual: "Dual",
    instructor: "Instructor",
    session: "FSTD session",
    sessionType: "Type",
    sessionNumber: "Number",
    remarks: "Remarks and endorsements",
  },
  journey: {
    title: "Journey log",
    signature: "Signature",
    defect: (description) => `Defect: ${description}`,
    crew: "Crew",
    nature: "Nature",
    natures: {
      training: "Training",
      private: "Private",
      hire: "Hire",
      trial: "Trial",
      ferry: "Ferry",
      maintenance: "Maintenance",
      simulator: "Simulator",
    },
    offBlock: "Off-block",
    takeOff: "Take-off",
    landing: "Landing",
    onBlock: "On-block",
    time: "Time",
    block: "Block",
    airborne: "Airborne",
    uplift: "Uplift, l",
    fuel: "Fuel",
    oil: "Oil",
    passengers: "Pax",
    airframe: "Airframe total",
    noticed: "Remarks to the workshop, defects",
  },
};
