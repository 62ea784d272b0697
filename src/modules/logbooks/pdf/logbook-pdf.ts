/** The columns of a pilot's logbook on paper (AMC1 FCL.050). */
import type { Person } from "../../people/people.shapes.ts";
import type { LogbookEntry } from "../logbook.shapes.ts";
import type { LogPeriod, Sum } from "../logbooks.schemas.ts";
import type { Book, Column } from "./book-pdf.ts";
import { clock, hours, periodIn } from "./formats.ts";

type LogbookColumn = Column<Sum, LogbookEntry>;

/** Who commanded the flight: the others name them. */
const commands = (row: LogbookEntry) => ["pic", "solo", "instructor"].includes(row.function);
const isSession = (row: LogbookEntry) => row.aircraft.class === "FSTD";

const text = (group: string, name: string, width: number, cell: LogbookColumn["cell"]): LogbookColumn => ({
  ...{ group, name, width, cell },
});

const time = (group: string, name: string, width: number, sum: Sum): LogbookColumn => ({
  ...{ group, name, width, isNumber: true },
  cell: (row) => (row[sum] === 0 ? "" : hours(row[sum])),
  total: (totals) => hours(totals[sum]),
});

const count = (group: string, name: string, width: number, sum: Sum): LogbookColumn => ({
  ...{ group, name, width, isNumber: true },
  cell: (row) => (row[sum] === 0 ? "" : String(row[sum])),
  total: (totals) => String(totals[sum]),
});

const columns: readonly LogbookColumn[] = [
  text("", "Date", 38, ({ date }) => date),
  text("Departure", "Place", 22, ({ departure }) => departure ?? ""),
  text("Departure", "Time", 21, (row) => (isSession(row) ? "" : clock(row.off_block_at))),
  text("Arrival", "Place", 22, ({ arrival }) => arrival ?? ""),
  text("Arrival", "Time", 21, (row) => (isSession(row) ? "" : clock(row.on_block_at))),
  text("Aircraft", "Make, model", 54, (row) => (isSession(row) ? "" : row.aircraft.model)),
  text("Aircraft", "Registration", 36, (row) => (isSession(row) ? "" : row.aircraft.registration)),
  time("Single-pilot", "SE", 27, "single_pilot_se_minutes"),
  time("Single-pilot", "ME", 27, "single_pilot_me_minutes"),
  time("", "Multi pilot", 27, "multi_pilot_minutes"),
  time("", "Total time", 29, "total_minutes"),
  text("", "Name of PIC", 56, (row) => (isSession(row) ? "" : commands(row) ? "SELF" : (row.pic_name ?? ""))),
  count("Landings", "Day", 18, "day_landings"),
  count("Landings", "Night", 20, "night_landings"),
  time("Condition", "Night", 27, "night_minutes"),
  time("Condition", "IFR", 27, "ifr_minutes"),
  time("Pilot function", "PIC", 29, "pic_minutes"),
  time("Pilot function", "Co-pilot", 27, "co_pilot_minutes"),
  time("Pilot function", "Dual", 27, "dual_minutes"),
  time("Pilot function", "Instructor", 27, "instructor_minutes"),
  text("FSTD session", "Date", 36, (row) => (isSession(row) ? row.date : "")),
  text("FSTD session", "Type", 40, (row) => (isSession(row) ? row.aircraft.model : "")),
  time("FSTD session", "Time", 27, "simulator_minutes"),
  text("", "Remarks and endorsements", 101, ({ remarks }) => remarks ?? ""),
];

export const logbookFor = (
  { name, licence_number }: Pick<Person, "name" | "licence_number">,
  period: LogPeriod,
  now: Date,
): Omit<Book<Sum, LogbookEntry>, "count" | "read"> => ({
  title: "Pilot logbook",
  subject: licence_number === null ? name : `${name}, licence ${licence_number}`,
  note: periodIn(period),
  columns,
  signature: "I certify that the entries in this log are true. Signature of the pilot",
  now,
});
