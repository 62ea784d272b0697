/** What a flight costs: the lines that its approval raises as charges, and that its preview shows. */

import type { Instant } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { type AircraftRow, requireAircraft } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { ChargeLine } from "../charges/write-charges.ts";
import { audienceOf } from "../customers/audience.queries.ts";
import { languageOf } from "../customers/language.queries.ts";
import { vatIn } from "../finance.fields.ts";
import type { MissingPart, RateKind } from "../finance.tables.ts";
import { usablePackages } from "../packages/packages.queries.ts";
import { chooseRate, hasDryRunOut, hasRunOut, type Occasion, type RateRow } from "../rates/rates.queries.ts";
import type { Texts } from "../texts/en.ts";
import { textsOf } from "../texts/texts.ts";
import { dayOfFlight } from "./day-of-flight.ts";
import { isFree, payerOf } from "./payer.ts";
import { type Billable, billedTime, blockTime, landingsOf } from "./quantities.ts";

/** With the parts of its description, for who composes it in another language than the payer's. */
export type BilledLine = ChargeLine & {
  /** The registration, the instructor or the place. Null: the description is the school's own, of the rate. */
  about: string | null;
  /** Of the package that it would be drawn from. */
  package_name: string | null;
};

export interface Bill {
  on: LegalDate;
  payer_id: PersonId | null;
  /** Nobody pays: not for lack of a payer, but by the nature of the flight. */
  free: boolean;
  lines: BilledLine[];
  missing: MissingPart[];
}

interface Terms {
  /** The payer named by a member. */
  named: PersonId | null;
  /** The organization's: rates in another are not used. */
  currency: string;
  now: Instant;
  /** Instead of what the aircraft is charged by: of a flight without counter readings. */
  basis?: "block";
}

/** Returns what the flight costs by the rates and packages of its day. */
export async function billOf(
  reader: Reader<"tenant">,
  flight: Billable,
  { named, currency, now, basis }: Terms,
): Promise<Bill> {
  const dayOfBill = async () => (await dayOfFlight(reader, flight)) ?? toLegalDate(await today(reader, now));
  const payer_id = payerOf(flight, named);
  if (payer_id === null) {
    const free = isFree(flight, named);
    return { on: await dayOfBill(), payer_id, free, lines: [], missing: free ? [] : ["payer"] };
  }
  const [on, aircraft, audience, language] = await Promise.all([
    dayOfBill(),
    requireAircraft(reader, flight.aircraft_id),
    audienceOf(reader, payer_id),
    languageOf(reader, payer_id),
  ]);
  const who = { currency, on, person_id: payer_id, audience };
  const billed = { reader, flight, aircraft, basis, who, texts: textsOf(language).lines };
  const parts = await Promise.all([aircraftLines(billed), instructorLines(billed), landingLines(billed)]);
  return {
    on,
    payer_id,
    free: false,
    lines: parts.flatMap(({ lines }) => lines),
    missing: [...new Set(parts.flatMap(({ missing }) => missing))],
  };
}

interface Part {
  lines: BilledLine[];
  missing: MissingPart[];
}

interface Billed {
  reader: Reader<"tenant">;
  flight: Billable;
  aircraft: AircraftRow;
  basis: Terms["basis"];
  who: Pick<Occasion, "currency" | "on" | "person_id" | "audience">;
  /** In the language of the payer on the day of the charge. */
  texts: Texts["lines"];
}

/** The aircraft's time, and what goes with it: the surcharge, and the fuel if its rate does not include it. */
async function aircraftLines({ reader, flight, aircraft, basis, who, texts }: Billed): Promise<Part> {
  const { id: aircraft_id, icao_type, registration } = aircraft;
  const occasion = (kind: RateKind) => ({ ...who, kind, aircraft_id, icao_type });
  const rateOf = (kind: RateKind) => chooseRate(reader, occasion(kind));
  const [rate, packages, surcharge] = await Promise.all([
    rateOf("aircraft"),
    usablePackages(reader, { uses: "aircraft", ...who, aircraft_id, icao_type }),
    rateOf("fuel_surcharge"),
  ]);
  const time = billedTime(flight, basis ?? aircraft.billing_basis);
  const part: Part = { lines: [], missing: [] };
  if ("missing" in time) part.missing.push(time.missing);
  else {
    add(
      part,
      timeLines({
        kind: "aircraft",
        ...time,
        rate,
        packages,
        about: registration,
        usual: texts.aircraft(registration),
      }),
    );
    if (surcharge && time.quantity > 0)
      part.lines.push(
        billedBy(surcharge, { ...time, unit: "minute" }, { about: registration, usual: texts.surcharge(registration) }),
      );
    else if (time.quantity > 0 && !surcharge && (await hasRunOut(reader, occasion("fuel_surcharge"))))
      part.missing.push("fuel_surcharge_rate");
  }
  const quantity = flight.fuel_uplift_litres ?? 0;
  if (rate?.fuel === "dry" && quantity > 0) {
    const fuel = await rateOf("fuel");
    if (fuel)
      part.lines.push(
        billedBy(fuel, { quantity, unit: "litre" }, { about: registration, usual: texts.fuel(registration) }),
      );
    else part.missing.push("fuel_rate");
  } else if (rate === undefined && quantity > 0 && (await hasDryRunOut(reader, occasion("aircraft")))) {
    // Also where packages have all of the time: they say nothing of the fuel.
    part.missing.push("aircraft_rate");
  }
  return part;
}

/** Block time with an instructor, who does not pay themself. */
async function instructorLines({ reader, flight, aircraft, who, texts }: Billed): Promise<Part> {
  const instructor_id = flight.crew.find((member) => member.function === "instructor")?.person_id;
  if (instructor_id === undefined || instructor_id === who.person_id) return { lines: [], missing: [] };
  const time = blockTime(flight);
  if ("missing" in time) return { lines: [], missing: [time.missing] };
  const { id: aircraft_id, icao_type } = aircraft;
  const [rate, packages, instructor] = await Promise.all([
    chooseRate(reader, { ...who, kind: "instructor", instructor_id }),
    usablePackages(reader, { uses: "instructor", ...who, aircraft_id, icao_type }),
    findPersonRow(reader, instructor_id),
  ]);
  const about = instructor?.name ?? "";
  return timeLines({ kind: "instructor", ...time, rate, packages, about, usual: texts.instructor(about) });
}

/** Landings at the place of arrival. A school that never had such a rate charges none; one that ran out is missing. */
async function landingLines({ reader, flight, aircraft, who, texts }: Billed): Promise<Part> {
  const quantity = landingsOf(flight);
  const { id: aircraft_id, icao_type } = aircraft;
  const place = flight.arrival;
  if (quantity === 0) return { lines: [], missing: [] };
  const occasion = { ...who, kind: "landing", aircraft_id, icao_type, place } as const;
  const rate = await chooseRate(reader, occasion);
  if (rate) {
    const about = place ?? "";
    const line = billedBy(rate, { quantity, unit: "landing" }, { about, usual: texts.landings(about) });
    return { lines: [line], missing: [] };
  }
  return { lines: [], missing: (await hasRunOut(reader, occasion)) ? ["landing_rate"] : [] };
}

interface Described {
  about: string;
  /** The description, if the rate has none. */
  usual: string;
}

interface Time extends Described {
  kind: "aircraft" | "instructor";
  /** In hundredths of a minute. */
  quantity: number;
  rate: RateRow | undefined;
  packages: Awaited<ReturnType<typeof usablePackages>>;
}

/** Draws the time from the packages, and charges the rest by the rate. */
function timeLines({ kind, quantity, rate, packages, about, usual }: Time): Part {
  const lines: BilledLine[] = [];
  let rest = quantity;
  for (const { id, remaining, name, currency, ...sold } of packages) {
    const drawn = Math.min(rest, remaining);
    if (drawn === 0) break;
    rest -= drawn;
    const free = { unit_price_minor: 0, price_per: 60, currency, ...vatIn(sold) };
    const drawnLine = { kind, package_id: id, rate_id: null, description: `${usual}, ${name}`, quantity: drawn };
    lines.push({ ...drawnLine, ...free, unit: "minute", status: "package", about, package_name: name });
  }
  if (rest === 0) return { lines, missing: [] };
  if (rate === undefined) return { lines, missing: [`${kind}_rate`] };
  return { lines: [...lines, billedBy(rate, { quantity: rest, unit: "minute" }, { about, usual })], missing: [] };
}

const billedBy = (
  rate: RateRow,
  amount: Pick<ChargeLine, "quantity" | "unit">,
  { about, usual }: Described,
): BilledLine => ({
  ...lineBy(rate, amount, usual),
  about: rate.description === null ? about : null,
  package_name: null,
});

export function lineBy(rate: RateRow, amount: Pick<ChargeLine, "quantity" | "unit">, usual: string): ChargeLine {
  const { id, kind, description, price_minor, currency } = rate;
  return {
    kind,
    rate_id: id,
    package_id: null,
    description: description ?? usual,
    ...amount,
    status: "open",
    unit_price_minor: price_minor,
    price_per: amount.unit === "minute" ? 60 : 1,
    currency,
    ...vatIn(rate),
  };
}

function add(part: Part, { lines, missing }: Part): void {
  part.lines.push(...lines);
  part.missing.push(...missing);
}
