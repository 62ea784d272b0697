/** The columns of a pilot's logbook on paper (AMC1 FCL.050). */

import { dateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Book, Column } from "../../../pdf/book.ts";
import { clock, hours } from "../../../pdf/formats.ts";
import type { Person } from "../../people/people.shapes.ts";
import type { LogbookEntry } from "../logbook.shapes.ts";
import type { LogPeriod, Sum } from "../logbooks.schemas.ts";
import { periodIn } from "./formats.ts";
import type { CrewFunction, LogTexts } from "./texts/en.ts";
import { textsOf } from "./texts/texts.ts";

type LogbookColumn = Column<Sum, LogbookEntry>;

/** Who commanded the flight: the others name them. */
const commands = (row: LogbookEntry) => ["pic", "solo", "instructor"].includes(row.function);
const isSession = (row: LogbookEntry) => row.aircraft.class === "FSTD";

/** Marked where they count: these as PIC, and in a simulator what is instruction (AMC1 FCL.050 (a)(3), (a)(4)). */
const asPic: readonly CrewFunction[] = ["solo", "spic", "picus"];
const inSession: readonly CrewFunction[] = ["dual", "instructor"];

const text = (group: string, name: string, width: number, cell: LogbookColumn["cell"]): LogbookColumn => ({
  group,
  name,
  width,
  cell,
});

const count = (group: string, name: string, width: number, sum: Sum): LogbookColumn => ({
  group,
  name,
  width,
  isNumber: true,
  cell: (row) => (row[sum] === 0 ? "" : String(row[sum])),
  total: (totals) => String(totals[sum]),
});

function columnsIn(texts: LogTexts, language: Language): readonly LogbookColumn[] {
  const { date, departure, arrival, place, landings, byDay, byNight, functions, logbook } = texts;
  const { aircraft, singlePilot, condition, pilotFunction, session } = logbook;
  /** AMC1 FCL.050 (b)(1): such time counts if they countersign it, which the form has in the remarks. */
  const countersigners: Partial<Record<CrewFunction, string>> = { spic: logbook.instructor, picus: functions.pic };
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
      row[sum] === 0 ? [] : [hours(row[sum]), ...(marked.includes(row.function) ? [functions[row.function]] : [])],
    total: (totals) => hours(totals[sum]),
  });
  return [
    text("", date, 38, (row) => dateIn(language, row.date)),
    text(departure, place, 22, (row) => row.departure ?? ""),
    text(departure, logbook.time, 21, (row) => (isSession(row) ? "" : clock(row.off_block_at))),
    text(arrival, place, 22, (row) => row.arrival ?? ""),
    text(arrival, logbook.time, 21, (row) => (isSession(row) ? "" : clock(row.on_block_at))),
    text(aircraft, logbook.model, 54, (row) => (isSession(row) ? "" : row.aircraft.model)),
    text(aircraft, logbook.registration, 36, (row) => (isSession(row) ? "" : row.aircraft.registration)),
    time(singlePilot, "SE", 27, "single_pilot_se_minutes"),
    time(singlePilot, "ME", 27, "single_pilot_me_minutes"),
    time("", logbook.multiPilot, 27, "multi_pilot_minutes"),
    time("", logbook.total, 29, "total_minutes"),
    text("", logbook.picName, 56, (row) => (isSession(row) ? "" : commands(row) ? logbook.self : (row.pic_name ?? ""))),
    count(landings, byDay, 18, "day_landings"),
    count(landings, byNight, 20, "night_landings"),
    time(condition, byNight, 27, "night_minutes"),
    time(condition, "IFR", 27, "ifr_minutes"),
    time(pilotFunction, functions.pic, 29, "pic_minutes", asPic),
    time(pilotFunction, logbook.coPilot, 27, "co_pilot_minutes"),
    time(pilotFunction, logbook.dual, 27, "dual_minutes"),
    time(pilotFunction, logbook.instructor, 27, "instructor_minutes"),
    text(session, logbook.sessionType, 42, (row) => (isSession(row) ? row.aircraft.model : "")),
    text(session, logbook.sessionNumber, 34, (row) => (isSession(row) ? numberOf(row) : "")),
    time(session, logbook.time, 27, "simulator_minutes", inSession),
    {
      ...text("", logbook.remarks, 101, ({ remarks }) => remarks ?? ""),
      signer: (row) => (isSession(row) ? undefined : countersigners[row.function]),
    },
  ];
}

/** Schools may have the number of the certificate in place of a registration. */
const numberOf = ({ fstd_qualification_number, aircraft }: LogbookEntry) =>
  fstd_qualification_number ?? aircraft.registration;

type Holder = Pick<Person, "name" | "licence_number" | "street" | "postcode" | "city" | "country">;

/** AMC1 FCL.050 (a)(1) wants the address. One that is not known is written by hand. */
function addressOf({ street, postcode, city, country }: Holder, name: string): string {
  const place = [postcode, city].filter(Boolean).join(" ");
  return [street, place, country].filter(Boolean).join(", ") || `${name}: ______________________________________`;
}

interface Printed {
  period: LogPeriod;
  language: Language;
  now: Date;
}

export function logbookFor(
  holder: Holder,
  { period, language, now }: Printed,
): Omit<Book<Sum, LogbookEntry>, "count" | "read"> {
  const texts = textsOf(language);
  const { title, licence, address, legend, signature } = texts.logbook;
  return {
    language,
    words: texts.words,
    title,
    subject: holder.licence_number === null ? holder.name : `${holder.name}, ${licence(holder.licence_number)}`,
    address: addressOf(holder, address),
    note: periodIn(language, period),
    columns: columnsIn(texts, language),
    legend,
    signature,
    now,
  };
}
