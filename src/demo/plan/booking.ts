import { isSolo } from "./timetable.ts";

export interface Booking {
  day: number;
  start: string;
  registration: string;
  /** Who learns, or hires the aircraft. */
  person: string;
  /** Who teaches. Without one, the aircraft is hired. */
  instructor: string | null;
  lesson: string | null;
  /** Whether the student can do now what the lesson is about. */
  isLearned: boolean;
  outcome: "flown" | "no_show" | "weather" | "aircraft" | "student" | "planned";
  /** Of one that was flown. */
  flights: PlannedFlight[];
}

export interface PlannedFlight {
  /** Minutes from the start of the booking. */
  offBlock: number;
  /** Minutes of block time, a multiple of a tenth of an hour. */
  block: number;
  from: string;
  to: string;
  landings: number;
  passengers: number;
  crossCountryKm: number | null;
  litres: number | null;
  /** Readings of the Hobbs meter, in tenths of an hour. */
  hobbs: [start: number, end: number];
  status: "approved" | "submitted" | "draft" | "rejected" | "reversed";
}

export const flownBy = ({ lesson, instructor }: Booking): "solo" | "dual" | "pic" =>
  instructor === null ? "pic" : lesson !== null && isSolo(lesson) ? "solo" : "dual";
