/** The columns of an aircraft's journey log on paper. */

import type { Book, Column } from "../../../pdf/book.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import type { JourneyEntry } from "../journey.shapes.ts";
import type { JourneySum, LogPeriod } from "../logbooks.schemas.ts";
import { clock, functionNames, hours, periodIn } from "./formats.ts";

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

type Minutes = "block_minutes" | "airborne_minutes";

const time = (name: string, width: number, sum: Minutes): JourneyColumn => ({
  ...number("Time", name, width, (row) => hours(row[sum])),
  total: (totals) => hours(totals[sum]),
});

const landings = (name: string, width: number, sum: "day_landings" | "night_landings"): JourneyColumn => ({
  ...number("Landings", name, width, (row) => String(row[sum])),
  total: (totals) => String(totals[sum]),
});

/** The first member, and the others below. */
function crewOf({ crew }: JourneyEntry): string | readonly string[] {
  const [first = "", ...others] = crew.map(({ name, function: held }) => `${functionNames[held]}: ${name}`);
  return others.length === 0 ? first : [first, others.join(", ")];
}

const noticed = ({ workshop_remarks, defects }: JourneyEntry): string =>
  [...defects.map((defect) => `Defect: ${defect}`), workshop_remarks ?? ""].filter(Boolean).join(" · ");

const columns: readonly JourneyColumn[] = [
  text("", "Date", 38, ({ date }) => date),
  text("", "Crew", 112, crewOf),
  text("", "Nature", 40, ({ nature }) => nature ?? ""),
  text("Departure", "Place", 22, ({ departure }) => departure ?? ""),
  text("Departure", "Off-block", 22, ({ off_block_at }) => clock(off_block_at)),
  text("Departure", "Take-off", 22, ({ take_off_at }) => clock(take_off_at)),
  text("Arrival", "Place", 22, ({ arrival }) => arrival ?? ""),
  text("Arrival", "Landing", 22, ({ landing_at }) => clock(landing_at)),
  text("Arrival", "On-block", 22, ({ on_block_at }) => clock(on_block_at)),
  time("Block", 30, "block_minutes"),
  time("Airborne", 30, "airborne_minutes"),
  landings("Day", 20, "day_landings"),
  landings("Night", 20, "night_landings"),
  number("", "Hobbs", 34, (row) => [row.hobbs_start ?? "", row.hobbs_end ?? ""]),
  number("", "Tacho", 34, (row) => [row.tacho_start ?? "", row.tacho_end ?? ""]),
  number("Uplift, l", "Fuel", 28, (row) => row.fuel_uplift_litres ?? ""),
  number("Uplift, l", "Oil", 24, (row) => row.oil_uplift_litres ?? ""),
  number("", "Pax", 16, ({ passengers }) => String(passengers)),
  {
    ...number("", "Airframe total", 38, (row) => hours(row.airframe_total_minutes)),
    total: ({ airframe_minutes }) => hours(airframe_minutes),
  },
  text("", "Remarks to the workshop, defects", 190, noticed),
];

export const journeyLogFor = (
  { registration, model }: Pick<AircraftRow, "registration" | "model">,
  period: LogPeriod,
  now: Date,
): Omit<Book<JourneySum, JourneyEntry>, "count" | "read"> => ({
  title: "Journey log",
  subject: `${registration}, ${model}`,
  note: periodIn(period),
  columns,
  signature: "Signature",
  now,
});
