/** The columns of a pilot's logbook on paper (AMC1 FCL.050). */

import type { Book, Column } from "../../../pdf/book.ts";
import type { Person } from "../../people/people.shapes.ts";
import type { LogbookEntry } from "../logbook.shapes.ts";
import type { LogPeriod, Sum } from "../logbooks.schemas.ts";
import { type CrewFunction, clock, functionNames, hours, periodIn } from "./formats.ts";

type LogbookColumn = Column<Sum, LogbookEntry>;

/** Who commanded the flight: the others name them. */
const commands = (row: LogbookEntry) => ["pic", "solo", "instructor"].includes(row.function);
const isSession = (row: LogbookEntry) => row.aircraft.class === "FSTD";

/** Marked where they count: these as PIC, and in a simulator what is instruction (AMC1 FCL.050 (a)(3), (a)(4)). */
const asPic: readonly CrewFunction[] = ["solo", "spic", "picus"];
const inSession: readonly CrewFunction[] = ["dual", "instructor"];

/** AMC1 FCL.050 (b)(1): such time counts if they countersign it, which the form has in the remarks. */
const countersigners: Partial<Record<CrewFunction, string>> = { spic: "Instructor", picus: "PIC" };

const text = (group: string, name: string, width: number, cell: LogbookColumn["cell"]): LogbookColumn => ({
  group,
  name,
  width,
  cell,
});

const time = (
  group: string,
  name: string,
  width: number,
  sum: Sum,
  marked: readonly CrewFunction[] = [],
): LogbookColumn => ({
  group,
  name,
  width,
  isNumber: true,
  cell: (row) =>
    row[sum] === 0 ? [] : [hours(row[sum]), ...(marked.includes(row.function) ? [functionNames[row.function]] : [])],
  total: (totals) => hours(totals[sum]),
});

const count = (group: string, name: string, width: number, sum: Sum): LogbookColumn => ({
  group,
  name,
  width,
  isNumber: true,
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
  time("Pilot function", "PIC", 29, "pic_minutes", asPic),
  time("Pilot function", "Co-pilot", 27, "co_pilot_minutes"),
  time("Pilot function", "Dual", 27, "dual_minutes"),
  time("Pilot function", "Instructor", 27, "instructor_minutes"),
  text("FSTD session", "Type", 42, (row) => (isSession(row) ? row.aircraft.model : "")),
  text("FSTD session", "Number", 34, (row) => (isSession(row) ? numberOf(row) : "")),
  time("FSTD session", "Time", 27, "simulator_minutes", inSession),
  {
    ...text("", "Remarks and endorsements", 101, ({ remarks }) => remarks ?? ""),
    signer: (row) => (isSession(row) ? undefined : countersigners[row.function]),
  },
];

/** Schools may have the number of the certificate in place of a registration. */
const numberOf = ({ fstd_qualification_number, aircraft }: LogbookEntry) =>
  fstd_qualification_number ?? aircraft.registration;

type Holder = Pick<Person, "name" | "licence_number" | "street" | "postcode" | "city" | "country">;

/** AMC1 FCL.050 (a)(1) wants the address. One that is not known is written by hand. */
function addressOf({ street, postcode, city, country }: Holder): string {
  const place = [postcode, city].filter(Boolean).join(" ");
  return [street, place, country].filter(Boolean).join(", ") || "Address: ______________________________________";
}

const legend = [
  "Solo, SPIC (student pilot-in-command) and PICUS (pilot-in-command under supervision) count as PIC. The instructor countersigns SPIC, the PIC countersigns PICUS, with the licence number (AMC1 FCL.050).",
  "FSTD session: the type of the training device and the number of its qualification certificate; dual and instructor: instruction in it.",
];

export const logbookFor = (
  holder: Holder,
  period: LogPeriod,
  now: Date,
): Omit<Book<Sum, LogbookEntry>, "count" | "read"> => ({
  title: "Pilot logbook",
  subject: holder.licence_number === null ? holder.name : `${holder.name}, licence ${holder.licence_number}`,
  address: addressOf(holder),
  note: periodIn(period),
  columns,
  legend,
  signature: "I certify that the entries in this log are true. Signature of the pilot",
  now,
});
