/** The flights of a training file on paper, with their sums. */
import type { LegalDate } from "../../../../core/dates.ts";
import { dateIn } from "../../../../core/forms.ts";
import type { Language } from "../../../../core/languages.ts";
import { clock, hours } from "../../../../pdf/formats.ts";
import type { Document } from "../../../../pdf/open-document.ts";
import { type Block, colors } from "../../../../pdf/portrait-page.ts";
import { type Column, facts, heading, paragraph, space, table } from "../../../../pdf/sheet.ts";
import type { FlownFlight } from "../file.shapes.ts";
import type { TrainingFile } from "../read-file.queries.ts";
import { textsOf } from "./texts/texts.ts";

const some = (count: number) => (count === 0 ? "" : String(count));
const time = (minutes: number) => (minutes === 0 ? "" : hours(minutes));

export function flightBlocks(
  document: Document,
  { flights, waitingFlights, facts: { flown } }: TrainingFile,
  language: Language,
): Block[] {
  const texts = textsOf(language);
  const { heading: title, columns: names, sums, of, notes, supervised, waiting } = texts.flights;
  const columns: Column[] = [
    { name: names.date, width: 48 },
    { name: names.times, width: 56 },
    { name: names.route, width: 54 },
    { name: names.aircraft, width: 50 },
    { name: names.lesson, width: 38 },
    { name: names.as, width: 38 },
    { name: names.instructor, width: 73 },
    { name: names.block, width: 32, align: "right" },
    { name: names.landings, width: 24, align: "right" },
    { name: names.night, width: 28, align: "right" },
    { name: names.ifr, width: 25, align: "right" },
    { name: names.away, width: 29, align: "right" },
  ];
  const quiet = { color: colors.quiet, isSmall: true };
  const none = flights.length === 0 ? paragraph(document, texts.none, { color: colors.quiet }) : [];
  const marks = [
    flights.some(({ counts }) => !counts) && notes.uncounted,
    flights.some(({ imported }) => imported) && notes.imported,
    flights.some(({ supervisor }) => supervisor !== null) && notes.supervisor,
    waitingFlights > 0 && waiting(waitingFlights),
  ].filter((note) => note !== false);
  const spic = flights.filter((flight) => flight.function === "spic" && flight.counts && flight.nature !== "simulator");
  const { total_minutes, dual_minutes, solo_minutes, cross_country_minutes } = flown.sums;
  const { solo_cross_country_minutes, simulator_minutes, landings } = flown.sums;
  const sumRows: [string, string | null][] = [
    [of.total, hours(total_minutes)],
    [of.dual, hours(dual_minutes)],
    [of.solo, hours(solo_minutes)],
    [of.spic, time(minutesOf(spic)) || null],
    [of.away, hours(cross_country_minutes)],
    [of.soloAway, hours(solo_cross_country_minutes)],
    [of.simulator, time(simulator_minutes) || null],
    [of.landings, String(landings)],
  ];
  return [
    heading(document, title),
    ...table(
      document,
      columns,
      flights.map((flight) => ({ cells: cellsOf(flight, language) })),
    ),
    ...none,
    ...marks.flatMap((note) => paragraph(document, note, quiet)),
    { ...space(6), staysWithNext: true },
    ...paragraph(document, sums, { color: colors.quiet }).map((line) => ({ ...line, staysWithNext: true })),
    ...facts(document, sumRows).map((line) => ({ ...line, staysWithNext: true })),
    space(4),
    ...soloBy(flights).flatMap(([name, several]) =>
      paragraph(document, supervised(name ?? texts.lessons.unnamed, several.length, hours(minutesOf(several)))),
    ),
  ];
}

const minutesOf = (flights: readonly FlownFlight[]): number =>
  flights.reduce((sum, { block_minutes }) => sum + (block_minutes ?? 0), 0);

/** Returns the solo flights that count by who supervised them: they add up to the solo time. */
const soloBy = (flights: readonly FlownFlight[]) => [
  ...Map.groupBy(
    flights.filter((flight) => flight.function === "solo" && flight.counts && flight.nature !== "simulator"),
    ({ supervisor }) => supervisor,
  ),
];

function cellsOf(flight: FlownFlight, language: Language): string[] {
  const { off_block_at, on_block_at, departure, arrival, aircraft, lesson, supervisor, instructors } = flight;
  const { functions } = textsOf(language).flights;
  const isSession = flight.nature === "simulator";
  return [
    dateIn(language, (off_block_at ?? "").slice(0, 10) as LegalDate),
    `${clock(off_block_at)} – ${clock(on_block_at)}`,
    isSession ? "" : [departure, arrival].filter(Boolean).join(" – "),
    `${aircraft.registration}${flight.counts ? "" : " *"}${flight.imported ? " i" : ""}`,
    lesson?.code ?? "",
    functions[isSession ? "session" : flight.function],
    supervisor === null ? instructors.join(", ") : `${supervisor} (s)`,
    hours(flight.block_minutes),
    some(flight.day_landings + flight.night_landings),
    time(flight.night_minutes),
    time(flight.ifr_minutes),
    flight.cross_country_km === null ? "" : String(flight.cross_country_km),
  ];
}
