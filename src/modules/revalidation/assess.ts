/**
 * What a person lacks to revalidate a rating or a certificate by flying, or to go on under an LAPL, and until when. Pure: over
 * records and flights that were read, or made up by a test. The figures are those of `../compliance/rules/rules.ts`.
 */
import { type LegalDate, toLegalDate } from "../../core/dates.ts";
import { laplStandingOf } from "../clearance/checks/recency.ts";
import type { FlownFlight } from "../clearance/facts/facts.shapes.ts";
import { type Holder, heldOn, standingOn } from "../compliance/records/held.ts";
import { licenceHeld } from "../compliance/records/licence.ts";
import type { HeldRecord } from "../compliance/records/records.shapes.ts";
import { revalidationByExperience } from "../compliance/rules/experience.ts";
import type { Source } from "../compliance/rules/rule.ts";
import {
  aeroplaneClasses,
  classRatings,
  experienceRules,
  instructorRevalidation,
  notForLapl,
} from "../compliance/rules/rules.ts";

export const revalidationKinds = ["sep", "tmg", "fi", "lapl_a"] as const;
export type RevalidationKind = (typeof revalidationKinds)[number];

export const lacks = [
  "flight_minutes",
  "pic_minutes",
  "landings",
  "refresher_minutes",
  "pic_or_supervised_minutes",
  "instructor_minutes",
  "instruction_minutes",
  "refresher_training",
  "assessment_of_competence",
] as const;
export type Lack = (typeof lacks)[number];

export const states = ["met", "missing", "not_open"] as const;

export interface Revalidation {
  kind: RevalidationKind;
  state: (typeof states)[number];
  /** The rating, the certificate or the licence. */
  record_id: HeldRecord["id"];
  /** The last day on which it may be used as it is. Null: the recent experience is missing now. */
  until: LegalDate | null;
  /** Only what is flown from this day on counts. */
  counts_from: LegalDate;
  /** `needed`: the whole, of which the amount is missing. */
  missing: readonly { what: Lack; amount: number; needed: number }[];
  /** Of what is missing, this many are enough. */
  how_many: number;
  /** What must be among them. */
  obligatory: readonly Lack[];
  /** The last day to begin with what is missing. */
  begin_by: LegalDate | null;
  source: Source;
}

type Flown = Pick<FlownFlight, "on" | "function" | "class" | "minutes" | "landings">;
export type Pilot = Holder & { flown: readonly Flown[] };

/** Hours that somebody flies in a week beside a profession: what is missing takes this long. */
const hoursAWeek = 3;

export const revalidationsOf = (pilot: Pilot, on: Temporal.PlainDate): Revalidation[] => [
  ...(["sep", "tmg"] as const).flatMap((type) => classRating(pilot, type, on)),
  ...instructor(pilot, on),
  ...lapl(pilot, on),
];

const classOf = { sep: "SEP", tmg: "TMG" } as const satisfies Partial<
  Record<(typeof classRatings)["SEP" | "TMG"], string>
>;

/** FCL.740.A: of who holds both ratings, the hours of both classes count for either. */
function classRating(pilot: Pilot, type: "sep" | "tmg", on: Temporal.PlainDate): Revalidation[] {
  if (licenceHeld(pilot, on) === "lapl" && notForLapl.includes(type)) return [];
  const held = validUntil(pilot, type, on);
  if (held === undefined) return [];
  const { record, expiry } = held;
  const { within, needs, ...rule } = experienceRules.sep_tmg_by_experience;
  const from = expiry.subtract(within);
  const both = (["sep", "tmg"] as const).every((one) => validUntil(pilot, one, on) !== undefined);
  const classes: readonly string[] = both ? Object.values(classOf) : [classOf[type]];
  const flown = pilot.flown
    .filter((flight) => classes.includes(flight.class) && flight.function !== "co_pilot")
    .map(({ on: date, function: f, minutes, landings }) => ({
      date,
      amounts: {
        flight_minutes: minutes,
        pic_minutes: f === "dual" ? 0 : minutes,
        landings,
        refresher_minutes: f === "dual" ? minutes : 0,
      },
    }));
  const exempt = standingOn(pilot.records, toLegalDate(on)).some(
    (one) => isCheckElsewhere(one, type) && one.issued_on >= toLegalDate(from),
  );
  const { missing } = revalidationByExperience(expiry, flown, { on, exempt });
  return [
    {
      kind: type,
      state: missing.length === 0 ? "met" : isBefore(on, from) ? "not_open" : "missing",
      record_id: record.id,
      until: toLegalDate(expiry),
      counts_from: toLegalDate(from),
      missing: missing.map(({ what, amount }) => ({ what, amount, needed: needs[what] })),
      ...allOf(missing),
      begin_by: beginBy(expiry, missing),
      source: rule.source,
    },
  ];
}

/** A proficiency check in any other class, or an assessment of competence, replaces the refresher training (FCL.740.A (b)(1)(ii)). */
const isCheckElsewhere = ({ type, method }: HeldRecord, rating: "sep" | "tmg"): boolean =>
  type === "fi_assessment" || (type !== rating && method === "check" && ratings.includes(type));

const ratings: readonly string[] = Object.values(classRatings);

/** FCL.940.FI. */
function instructor(pilot: Pilot, on: Temporal.PlainDate): Revalidation[] {
  const held = validUntil(pilot, "fi", on);
  if (held === undefined) return [];
  const { record, expiry } = held;
  const { instruction_minutes, how_many, assessed_within, source } = instructorRevalidation;
  const from = beganOn(pilot, record, expiry);
  const taught = pilot.flown
    .filter((flight) => flight.function === "instructor" && isAeroplane(flight) && !isBefore(flight.on, from))
    .reduce((total, { minutes }) => total + minutes, 0);
  const has = (type: string, since: Temporal.PlainDate) =>
    standingOn(pilot.records, toLegalDate(on)).some((one) => one.type === type && one.issued_on >= toLegalDate(since));
  const parts: { what: Lack; amount: number; needed: number }[] = [
    {
      what: "instruction_minutes",
      amount: Math.max(0, instruction_minutes - taught),
      needed: instruction_minutes,
    },
    { what: "refresher_training", amount: has("fi_seminar", from) ? 0 : 1, needed: 1 },
    {
      what: "assessment_of_competence",
      amount: has("fi_assessment", expiry.subtract(assessed_within)) ? 0 : 1,
      needed: 1,
    },
  ];
  const missing = parts.filter(({ amount }) => amount > 0);
  const obligatory = missing.filter(({ what }) => what === "assessment_of_competence" && !wasAssessed(pilot, record));
  const left = Math.max(obligatory.length, how_many - (parts.length - missing.length));
  const isMet = left === 0;
  return [
    {
      kind: "fi",
      state: isMet ? "met" : "missing",
      record_id: record.id,
      until: toLegalDate(expiry),
      counts_from: toLegalDate(from),
      missing: isMet ? [] : missing,
      how_many: left,
      obligatory: obligatory.map(({ what }) => what),
      begin_by: isMet ? null : beginBy(expiry, missing),
      source,
    },
  ];
}

/**
 * Returns the first day of the certificate's validity. One that no other precedes, or that was renewed after the last had lapsed, is
 * valid from its issue to the end of a month, so that it began in the month before which the usual time ends. One that was
 * revalidated goes on from the expiry before.
 */
function beganOn({ records }: Pilot, present: HeldRecord, expiry: Temporal.PlainDate): Temporal.PlainDate {
  const usual = expiry.subtract(instructorRevalidation.within);
  const issued = Temporal.PlainDate.from(present.issued_on);
  const goesOn = records.some(
    ({ type, issued_on, valid_until }) =>
      type === "fi" && issued_on < present.issued_on && (valid_until ?? "9999") >= present.issued_on,
  );
  return !goesOn && issued.toPlainYearMonth().equals(usual.toPlainYearMonth()) ? issued : usual;
}

/**
 * Returns whether the present certificate is known to rest on an assessment: it is the first, which an assessment ends
 * (FCL.930.FI), it says so, or an assessment was recorded in the months before its issue. Otherwise the next needs one.
 */
function wasAssessed({ records }: Pilot, present: HeldRecord): boolean {
  if (
    present.method === "check" ||
    !records.some(({ type, issued_on }) => type === "fi" && issued_on < present.issued_on)
  )
    return true;
  const since = Temporal.PlainDate.from(present.issued_on).subtract(instructorRevalidation.assessed_within);
  return records.some(
    ({ type, issued_on }) =>
      type === "fi_assessment" && issued_on >= toLegalDate(since) && issued_on <= present.issued_on,
  );
}

/** FCL.140.A: a rolling time, so that it ends when the flights leave it that made it. */
function lapl(pilot: Pilot, on: Temporal.PlainDate): Revalidation[] {
  const held = heldOn(pilot, { any_of: ["licence"], levels: ["lapl"] }, on);
  if (held.state !== "valid" || licenceHeld(pilot, on) !== "lapl") return [];
  const { within, needs, source } = experienceRules.lapl_a;
  const { met, until, missing } = laplStandingOf(pilot, on);
  return [
    {
      kind: "lapl_a",
      state: met ? "met" : "missing",
      record_id: held.record.id,
      until: until && toLegalDate(until),
      counts_from: toLegalDate((until?.add({ days: 1 }) ?? on).subtract(within)),
      missing: missing.map(({ what, amount }) => ({ what, amount, needed: needs[what] })),
      ...allOf(missing),
      begin_by: until && beginBy(until, missing),
      source,
    },
  ];
}

function validUntil(pilot: Pilot, type: string, on: Temporal.PlainDate) {
  const held = heldOn(pilot, { any_of: [type] }, on);
  if (held.state !== "valid" || held.record.valid_until === null) return undefined;
  return { record: held.record, expiry: Temporal.PlainDate.from(held.record.valid_until) };
}

const allOf = (missing: readonly { what: Lack }[]) => ({
  how_many: missing.length,
  obligatory: missing.map(({ what }) => what),
});

/** Times run at the same time: an hour as PIC is one of flight time. */
function beginBy(end: Temporal.PlainDate, missing: readonly { what: Lack; amount: number }[]): LegalDate | null {
  if (missing.length === 0) return null;
  const hours = missing.map(({ what, amount }) => (what.endsWith("_minutes") ? amount / 60 : 0));
  return toLegalDate(end.subtract({ weeks: Math.ceil(Math.max(...hours) / hoursAWeek) }));
}

/**
 * Returns the day of the mail: a month before it is too late to begin. Null: nothing is missing, or it is too late. What is flown
 * before it counts would not help, so that nobody is told earlier.
 */
export function tellOn({ begin_by, counts_from, kind, missing }: Revalidation): LegalDate | null {
  if (begin_by === null || missing.length === 0) return null;
  const month = toLegalDate(Temporal.PlainDate.from(begin_by).subtract({ months: 1 }));
  return kind !== "lapl_a" && month < counts_from ? counts_from : month;
}

const isAeroplane = ({ class: type }: Flown): boolean => (aeroplaneClasses as readonly string[]).includes(type);
const isBefore = (one: Temporal.PlainDate, other: Temporal.PlainDate) => Temporal.PlainDate.compare(one, other) < 0;
