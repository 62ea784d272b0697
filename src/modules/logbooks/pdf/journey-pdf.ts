/** The columns of an aircraft's journey log on paper. */

import { dateIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Book, Column } from "../../../pdf/book.ts";
import { clock, hours } from "../../../pdf/formats.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import type { JourneyEntry } from "../journey.shapes.ts";
import type { JourneySum, LogPeriod } from "../logbooks.schemas.ts";
import { periodIn } from "./formats.ts";
import type { LogTexts } from "./texts/en.ts";
import { textsOf } from "./texts/texts.ts";

type JourneyColumn = Column<JourneySum, JourneyEntry>;

const text = (group: string, name: string, width: number, cell: JourneyColumn["cell"]): JourneyColumn => ({
  group,
  name,
  width,
  cell,
});

const number = (group: string, name: string, width: number, cell: JourneyColumn["cell"]): JourneyColumn => ({
  group,
  name,
  width,
  cell,
  isNumber: true,
});

/** The first member, and the others below. */
function crewOf({ crew }: JourneyEntry, { functions }: LogTexts): string | readonly string[] {
  const [first = "", ...others] = crew.map(({ name, function: held }) => `${functions[held]}: ${name}`);
  return others.length === 0 ? first : [first, others.join(", ")];
}

function columnsIn(texts: LogTexts, language: Language): readonly JourneyColumn[] {
  const { date, departure, arrival, place, byDay, byNight, journey } = texts;
  const time = (name: string, width: number, sum: "block_minutes" | "airborne_minutes"): JourneyColumn => ({
    ...number(journey.time, name, width, (row) => hours(row[sum])),
    total: (totals) => hours(totals[sum]),
  });
  const landings = (name: string, width: number, sum: "day_landings" | "night_landings"): JourneyColumn => ({
    ...number(texts.landings, name, width, (row) => String(row[sum])),
    total: (totals) => String(totals[sum]),
  });
  const noticed = ({ workshop_remarks, defects }: JourneyEntry) =>
    [...defects.map(journey.defect), workshop_remarks ?? ""].filter(Boolean).join(" · ");
  return [
    text("", date, 38, (row) => dateIn(language, row.date)),
    text("", journey.crew, 112, (row) => crewOf(row, texts)),
    text("", journey.nature, 40, ({ nature }) => (nature ? journey.natures[nature] : "")),
    text(departure, place, 22, (row) => row.departure ?? ""),
    text(departure, journey.offBlock, 22, ({ off_block_at }) => clock(off_block_at)),
    text(departure, journey.takeOff, 22, ({ take_off_at }) => clock(take_off_at)),
    text(arrival, place, 22, (row) => row.arrival ?? ""),
    text(arrival, journey.landing, 22, ({ landing_at }) => clock(landing_at)),
    text(arrival, journey.onBlock, 22, ({ on_block_at }) => clock(on_block_at)),
    time(journey.block, 30, "block_minutes"),
    time(journey.airborne, 30, "airborne_minutes"),
    landings(byDay, 20, "day_landings"),
    landings(byNight, 20, "night_landings"),
    number("", "Hobbs", 34, (row) => [row.hobbs_start ?? "", row.hobbs_end ?? ""]),
    number("", "Tacho", 34, (row) => [row.tacho_start ?? "", row.tacho_end ?? ""]),
    number(journey.uplift, journey.fuel, 28, (row) => row.fuel_uplift_litres ?? ""),
    number(journey.uplift, journey.oil, 24, (row) => row.oil_uplift_litres ?? ""),
    number("", journey.passengers, 16, ({ passengers }) => String(passengers)),
    {
      ...number("", journey.airframe, 38, (row) => hours(row.airframe_total_minutes)),
      total: ({ airframe_minutes }) => hours(airframe_minutes),
    },
    text("", journey.noticed, 190, noticed),
  ];
}

interface Printed {
  period: LogPeriod;
  language: Language;
  now: Date;
}

export function journeyLogFor(
  { registration, model }: Pick<AircraftRow, "registration" | "model">,
  { period, language, now }: Printed,
): Omit<Book<JourneySum, JourneyEntry>, "count" | "read"> {
  const texts = textsOf(language);
  return {
    language,
    words: texts.words,
    title: texts.journey.title,
    subject: `${registration}, ${model}`,
    note: periodIn(language, period),
    columns: columnsIn(texts, language),
    signature: texts.journey.signature,
    now,
  };
}
