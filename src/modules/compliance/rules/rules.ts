/**
 * The rules of Part-MED and Part-FCL with their figures, as a chief instructor knows them. The functions beside this file
 * compute with them and contain no figures of their own.
 */
import type { LegalDate } from "../../../core/dates.ts";
import type { ExperienceRule, KeepingRule, Source, TrainingRule, ValidityRule } from "./rule.ts";

/** The regulations whose texts are used, with the day from which each applies. */
const regulations = {
  "(EU) 1178/2011": "2012-04-08",
  "(EU) 2019/27": "2019-01-30",
  "(EU) 2019/1383": "2020-03-24",
  "(EU) 2019/1747": "2019-11-11",
  "(EU) 2020/359": "2020-04-08",
  "(EU) 2024/2076": "2024-08-14",
} as const;

export const sourceOf = (article: string, regulation: keyof typeof regulations): Source => ({
  article,
  regulation,
  effective_from: regulations[regulation] as string as LegalDate,
});

const hours = (count: number) => count * 60;

const medical = sourceOf("MED.A.045", "(EU) 2019/27");
const examined = { check: { early: { days: 45 } } };
const checked = { check: { early: { months: 3 } } };
/** A rating that has lapsed is renewed by a check. */
const checkedOrFlown = { ...checked, experience: { early: { months: 12 }, only: "early" } } as const;
const classRating = sourceOf("FCL.740, FCL.740.A", "(EU) 2020/359");

const instructorMonths = 36;

export const validityRules = {
  medical_class_1: {
    title: "Medical certificate, class 1",
    periods: [
      { months: 12 },
      { months: 6, from_age: 40, only_single_pilot_commercial: true },
      { months: 6, from_age: 60 },
    ],
    ends: "on_day",
    ways: examined,
    source: medical,
  },
  medical_class_2: {
    title: "Medical certificate, class 2",
    periods: [
      { months: 60, until_age: 42 },
      { months: 24, from_age: 40, until_age: 51 },
      { months: 12, from_age: 50 },
    ],
    ends: "on_day",
    ways: examined,
    source: medical,
  },
  medical_lapl: {
    title: "Medical certificate for the LAPL",
    periods: [
      { months: 60, until_age: 42 },
      { months: 24, from_age: 40 },
    ],
    ends: "on_day",
    ways: examined,
    source: medical,
  },
  sep: {
    title: "Class rating SEP",
    periods: [{ months: 24 }],
    ends: "end_of_month",
    ways: checkedOrFlown,
    source: classRating,
  },
  tmg: {
    title: "Class rating TMG",
    periods: [{ months: 24 }],
    ends: "end_of_month",
    ways: checkedOrFlown,
    source: classRating,
  },
  mep: {
    title: "Class rating MEP",
    periods: [{ months: 12 }],
    ends: "end_of_month",
    ways: checked,
    source: classRating,
  },
  ir: {
    title: "Instrument rating",
    periods: [{ months: 12 }],
    ends: "end_of_month",
    ways: checked,
    source: sourceOf("FCL.625, FCL.625.A", "(EU) 1178/2011"),
  },
  fi: {
    title: "Flight instructor certificate",
    periods: [{ months: instructorMonths }],
    ends: "end_of_month",
    ways: { check: { early: { months: 12 } } },
    source: sourceOf("FCL.920, FCL.940.FI", "(EU) 1178/2011"),
  },
  cri: {
    title: "Class rating instructor certificate",
    periods: [{ months: 36 }],
    ends: "end_of_month",
    ways: { check: { early: { months: 12 } } },
    source: sourceOf("FCL.920, FCL.940.CRI", "(EU) 1178/2011"),
  },
  elp_4: {
    title: "Language proficiency, level 4",
    periods: [{ months: 48 }],
    ends: "on_day",
    ways: { check: {} },
    source: sourceOf("FCL.055", "(EU) 1178/2011"),
  },
  elp_5: {
    title: "Language proficiency, level 5",
    periods: [{ months: 72 }],
    ends: "on_day",
    ways: { check: {} },
    source: sourceOf("FCL.055", "(EU) 1178/2011"),
  },
  elp_6: {
    title: "Language proficiency, level 6",
    periods: [{ months: null }],
    ends: "on_day",
    ways: { check: {} },
    source: sourceOf("FCL.055", "(EU) 1178/2011"),
  },
  arc: {
    title: "Airworthiness review certificate",
    periods: [{ months: 12 }],
    ends: "on_day",
    ways: {
      review: { early: { days: 90 } },
      extension: { early: { days: 30 }, only: "while_valid", in_a_row: 2 },
    },
    source: sourceOf("ML.A.901, ML.A.903", "(EU) 2019/1383"),
  },
} satisfies Record<string, ValidityRule>;

export type Document = keyof typeof validityRules;
export const documents = Object.keys(validityRules) as [Document, ...Document[]];

/** Each landing of a flight counts as a take-off, too: flights record landings only. */
export const experienceRules = {
  passengers: {
    title: "Carrying passengers",
    within: { days: 90 },
    needs: { landings: 3 },
    source: sourceOf("FCL.060 (b)(1)", "(EU) 1178/2011"),
  },
  /** Not needed by the holder of a valid instrument rating. */
  passengers_at_night: {
    title: "Carrying passengers at night",
    within: { days: 90 },
    needs: { night_landings: 1 },
    source: sourceOf("FCL.060 (b)(2)", "(EU) 1178/2011"),
  },
  /** Or a proficiency check in the same time: a record of the type `lapl_check`. */
  lapl_a: {
    title: "Recency of the LAPL(A)",
    within: { months: 24 },
    needs: { pic_or_supervised_minutes: hours(12), landings: 12, instructor_minutes: hours(1) },
    source: sourceOf("FCL.140.A", "(EU) 2020/359"),
  },
  /** Within the last 12 months before the expiry. */
  sep_tmg_by_experience: {
    title: "Revalidation of SEP and TMG by experience",
    within: { months: 12 },
    needs: { flight_minutes: hours(12), pic_minutes: hours(6), landings: 12, refresher_minutes: hours(1) },
    source: sourceOf("FCL.740.A (b)", "(EU) 2020/359"),
  },
} satisfies Record<string, ExperienceRule>;

/**
 * An FI certificate is revalidated by some of three within its validity: instruction, refresher training, and an assessment of
 * competence in its last months. At every second revalidation at least, the assessment is one of them.
 */
export const instructorRevalidation = {
  title: "Revalidation of the FI certificate",
  /** How long the certificate is valid. */
  within: { months: instructorMonths },
  instruction_minutes: hours(50),
  how_many: 2,
  assessed_within: { months: 12 },
  source: sourceOf("FCL.940.FI", "(EU) 1178/2011"),
};

/** How long an organization keeps records. Of what kinds of organization, and from when, the users of the rule say. */
export const recordKeeping = {
  training: { title: "training records", years: 3, source: sourceOf("ORA.ATO.120, DTO.GEN.220", "(EU) 1178/2011") },
  ato: { title: "records of an ATO", years: 5, source: sourceOf("ORA.GEN.220", "(EU) 1178/2011") },
} satisfies Record<string, KeepingRule>;

export const trainingRules = {
  ppl_a: {
    title: "Training for the PPL(A)",
    total_minutes: hours(45),
    simulator_minutes_at_most: hours(5),
    dual_minutes: hours(25),
    solo_minutes: hours(10),
    solo_cross_country_minutes: hours(5),
    distance_km: 270,
    full_stops_elsewhere: 2,
    minimum_age: 17,
    source: sourceOf("FCL.200, FCL.210.A", "(EU) 1178/2011"),
  },
  lapl_a: {
    title: "Training for the LAPL(A)",
    total_minutes: hours(30),
    simulator_minutes_at_most: 0,
    dual_minutes: hours(15),
    solo_minutes: hours(6),
    solo_cross_country_minutes: hours(3),
    distance_km: 150,
    full_stops_elsewhere: 1,
    minimum_age: 17,
    source: sourceOf("FCL.100, FCL.110.A", "(EU) 1178/2011"),
  },
} satisfies Record<string, TrainingRule>;

/**
 * The least training for a rating, a certificate, or from one licence to the next: by the measures of training programmes, and what
 * else the law counts.
 */
export const ratingTrainings = {
  ppl_from_lapl: {
    title: "Training from the LAPL(A) to the PPL(A)",
    minima: {
      dual_minutes: hours(5),
      solo_minutes: hours(10),
      solo_cross_country_minutes: hours(5),
      long_cross_country: 1,
      age: 17,
    },
    distance_km: 270,
    full_stops_elsewhere: 2,
    source: sourceOf("FCL.200, FCL.210.A", "(EU) 2024/2076"),
  },
  tmg: {
    title: "Training for the class TMG",
    minima: { dual_minutes: hours(3), solo_landings: 10 },
    dual_landings: 10,
    source: sourceOf("FCL.135.A, FCL.725", "(EU) 2020/359"),
  },
  night: {
    title: "Training for the night rating",
    minima: {
      night_minutes: hours(5),
      dual_night_minutes: hours(3),
      dual_cross_country_minutes: hours(1),
      solo_night_landings: 5,
    },
    dual_cross_country_km: 50,
    source: sourceOf("FCL.810", "(EU) 1178/2011"),
  },
  aerobatic: {
    title: "Training for the aerobatic rating",
    minima: { dual_minutes: hours(5) },
    pic_hours_before: 30,
    source: sourceOf("FCL.800", "(EU) 2020/359"),
  },
  towing: {
    title: "Training for the towing of sailplanes",
    minima: { landings: 10 },
    dual_flights: 5,
    familiarisation_flights: 5,
    pic_hours_before: 30,
    landings_before: 60,
    source: sourceOf("FCL.805", "(EU) 2020/359"),
  },
  cri: {
    title: "Training for the CRI certificate, single-engine",
    /** Teaching and learning, and technical training. */
    minima: { ground_minutes: hours(25) + hours(10), dual_minutes: hours(3) },
    source: sourceOf("FCL.930.CRI", "(EU) 1178/2011"),
  },
  fe: {
    title: "Standardisation of a flight examiner",
    minima: {},
    conducted: 2,
    source: sourceOf("FCL.1010.FE, FCL.1015", "(EU) 1178/2011"),
  },
} as const;

/** What the holder of an LAPL(A) may fly, and whom they may carry. */
export const laplLimits = {
  title: "Limits of the LAPL(A)",
  classes: ["SEP", "TMG"],
  mtom_kg: 2000,
  passengers: 3,
  /** Since the issue of the licence, before passengers are carried. Not of who held a higher licence before. */
  pic_minutes: hours(10),
  source: sourceOf("FCL.105.A", "(EU) 2019/1747"),
} as const;

/**
 * What a pilot-owner may release: no critical task, and nothing of the 100-hour or annual check (Appendix II to Part-ML); only of
 * an aircraft that Part-ML is about.
 */
export const pilotOwnerRule = {
  title: "Release by a pilot-owner",
  mtom_kg: 2730,
  source: sourceOf("ML.A.803, Appendix II", "(EU) 2019/1383"),
} as const;

/** The theory exams for the LAPL and the PPL: a complete set is passed within a period, and then valid for another. */
export const theoryRule = {
  title: "Theory exams for the LAPL and the PPL",
  pass_percent: 75,
  /** Of one subject. */
  attempts: 4,
  /** Counted from the end of the month of the first attempt. */
  months: 18,
  /** A sitting is at most this many consecutive days, with one attempt at each paper (AMC1 FCL.025). */
  sitting_days: 10,
  valid_months: 24,
  source: sourceOf("FCL.025", "(EU) 1178/2011"),
};

/** The class rating that an aircraft of this class needs. The holder of an LAPL needs `lapl_a` instead. */
export const classRatings = { SEP: "sep", TMG: "tmg", MEP: "mep" } as const;

/** The levels of licences, the lowest first. */
export const licences = ["lapl", "ppl", "cpl", "atpl"] as const;
export type Licence = (typeof licences)[number];

/** The licences at which training programmes aim, by their kind. Others are for a rating or a certificate. */
export const trainedLicences: Readonly<Partial<Record<string, Licence>>> = {
  lapl_a: "lapl",
  ppl_a: "ppl",
  cpl: "cpl",
  atpl: "atpl",
};

/** The medical certificates that are enough for a licence, and for the solo flights of a student who is trained for it. */
export const medicalRule = {
  title: "Medical certificate for a licence",
  /** Empty: any. */
  enough: {
    lapl: [],
    ppl: ["class_2", "class_1"],
    cpl: ["class_1"],
    atpl: ["class_1"],
  } satisfies Record<Licence, string[]>,
  source: sourceOf("MED.A.030", "(EU) 2019/27"),
};

/**
 * The levels that a document of a level includes: a medical certificate covers them until their own dates, which it states
 * (MED.A.030, MED.A.045).
 */
export const includedLevels: Readonly<Partial<Record<string, Readonly<Partial<Record<string, readonly string[]>>>>>> = {
  medical: { class_1: ["class_2", "lapl"], class_2: ["lapl"] },
};

/** The documents of which a person holds one at a time, whatever its level (MED.A.030). */
export const oneAtATime: readonly string[] = ["medical"];

/** The class ratings in whose place the holder of an LAPL has recent experience (FCL.105.A, FCL.140.A). */
export const notForLapl: readonly string[] = [classRatings.SEP, classRatings.TMG];

export const nightRule = {
  title: "Night rating",
  /** Licences that include it. */
  included_in: ["cpl", "atpl"] satisfies Licence[],
  /** Kinds of training programmes with solo flights at night. */
  trained_in: ["night", "cpl", "atpl"],
  source: sourceOf("FCL.810", "(EU) 1178/2011"),
};

/** The classes that are aeroplanes or touring motor gliders: training for the PPL(A) and the LAPL(A) is in these. */
export const aeroplaneClasses = ["SEP", "MEP", "TMG", "SET"] as const;

/** What lifts the restriction of an instructor, in aeroplanes or touring motor gliders. */
export const restrictedInstructorRule = {
  title: "Flight instructor with restricted privileges",
  instruction_minutes: hours(100),
  supervised_solos: 25,
  source: sourceOf("FCL.910.FI", "(EU) 1178/2011"),
};

export const soloRule = {
  title: "Solo flight of a student",
  minimum_age: 16,
  source: sourceOf("FCL.020", "(EU) 1178/2011"),
  /** An instructor authorizes the flight and supervises it. */
  supervision: sourceOf("FCL.020 (a)", "(EU) 1178/2011"),
};
