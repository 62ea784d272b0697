/** The syllabus of a revision, as schools share it: one JSON document, whose parts name each other by codes. */
import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { withLimits } from "../../../http/body-limits.ts";
import { dateField, integer, isDistinct, longText, text } from "../../../http/fields.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { type Measure, type Minimum, measures } from "../../compliance/rules/training-minima.ts";
import { programKinds } from "../programs/program-kinds.ts";
import { flownClasses, lessonKinds, milestones, type Named } from "../training.values.ts";

const code = text(40).meta({ examples: ["12"] });
const name = text(200).meta({ examples: ["Take-off and climb to downwind"] });
const count = (max: number) => integer(1, max);

const named = (example: Named) => z.strictObject({ code, name: text(120) }).meta({ examples: [example] });

const Minima: z.ZodType<Minimum> = z
  .strictObject({
    measure: z.enum(measures).meta({
      id: "TrainingMeasure",
      description:
        "What is measured. `long_cross_country`: solo flights of at least `distance_km` with `full_stops_elsewhere` full-stop landings at other aerodromes. `age`: years on the day.",
    }),
    required: count(1_000_000),
    simulator_minutes_at_most: integer(0, 1_000_000)
      .nullable()
      .default(null)
      .meta({ description: "Of `total_minutes`: how much of it may be in a simulator." }),
    distance_km: count(40_000).nullable().default(null),
    full_stops_elsewhere: count(20).nullable().default(null),
    legal_basis: text(200),
    effective_from: dateField,
  })
  .refine(({ measure, distance_km }) => (measure === "long_cross_country") === (distance_km !== null), {
    path: ["distance_km"],
    error: issueCodes.distance,
  })
  .meta({
    examples: [
      {
        measure: "dual_minutes" satisfies Measure,
        required: 1500,
        simulator_minutes_at_most: null,
        distance_km: null,
        full_stops_elsewhere: null,
        legal_basis: "FCL.210.A, (EU) 1178/2011",
        effective_from: "2020-04-08",
      },
    ],
  });

const grade = z.strictObject({ code, name: text(120), passed: z.boolean() });

const scale = z
  .strictObject({ code, grades: z.array(grade).min(1).max(20) })
  .refine(({ grades }) => grades.some(({ passed }) => passed), { path: ["grades"], error: issueCodes.no_pass })
  .meta({ examples: [{ code: "1-4", grades: [{ code: "3", name: "As required for the licence", passed: true }] }] });
export type Scale = z.infer<typeof scale>;

const theory = z.strictObject({
  pass_percent: count(100),
  attempts: count(20).meta({ description: "How often a subject may be tried, before the whole set starts anew." }),
  sittings: count(50)
    .nullable()
    .default(null)
    .meta({ description: "In how many sittings all subjects must be passed; null: any number." }),
  months: count(120).meta({
    description: "Within which time all subjects must be passed, from the end of the month of the first exam.",
  }),
  valid_months: count(240).meta({ description: "How long the complete set is valid." }),
  legal_basis: text(200),
});
export type TheoryRules = z.infer<typeof theory>;

const item = z.strictObject({
  code,
  name,
  scale: code,
  milestone: z.enum(milestones).nullable().default(null).meta({
    description:
      "Of a solo lesson: the student's first solo flight, or their first solo cross-country flight. An instructor with restricted privileges does not sign off these (FCL.910.FI). If a syllabus for a licence does not mark one of the two, it may be any item of a solo lesson.",
  }),
});
const exampleItems = [{ code: "1", name: "Keeps direction in the take-off run", scale: "1-4", milestone: null }];

const lesson = z.strictObject({
  code,
  name,
  kind: z.enum(lessonKinds).meta({ description: "With an instructor, solo, in a simulator, or on the ground." }),
  phase: code.nullable().default(null),
  requires: z
    .array(code)
    .max(50)
    .default([])
    .meta({ description: "The codes of earlier lessons, all items of which must be done first." }),
  items: z.array(item).max(100),
});
export type Lesson = z.infer<typeof lesson>;

const legal_basis = longText(1000).meta({ examples: ["FCL.200, FCL.210.A, (EU) 1178/2011"] });

/** The fields of a syllabus that are columns of its revision. */
export const revisionFields = {
  legal_basis,
  effective_from: dateField,
  skill_test: z.boolean().meta({ description: "Whether the training ends with a skill test.", examples: [true] }),
  theory: theory.nullable().meta({
    description: "The rules of the theory exams; null: there are none.",
    examples: [{ pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" }],
  }),
  subjects: z
    .array(named({ code: "air_law", name: "Air law" }))
    .max(30)
    .meta({ description: "The subjects of the theory exams." }),
  minima: z.array(Minima).max(30).meta({ description: "What the law or the school asks for at least." }),
  aircraft_classes: z
    .array(z.enum(flownClasses))
    .min(1)
    .refine(isDistinct, issueCodes.repeated)
    .nullable()
    .meta({
      description:
        "Flights in aircraft of these classes count towards the minima; others only as credits. Null: of the classes of the licence (for `ppl_a` and `lapl_a` aeroplanes and touring motor gliders, FCL.210.A), else of all classes.",
      examples: [["SEP", "TMG"]],
    }),
  scales: z.array(scale).max(20).meta({ description: "The grading scales, by one of which each item is graded." }),
  phases: z
    .array(named({ code: "solo", name: "To the first solo" }))
    .max(30)
    .meta({ description: "Parts of the training." }),
};

const lessons = z
  .array(lesson)
  .max(200)
  .meta({
    examples: [
      [
        {
          code: "12",
          name: "Take-off and climb",
          kind: "dual",
          phase: "solo",
          requires: [],
          items: exampleItems,
        },
        { code: "14", name: "First solo", kind: "solo", phase: "solo", requires: ["12"], items: exampleItems },
      ],
    ],
  });

export const maxItems = 500;

const syllabus = { ...revisionFields, lessons };

/** A syllabus of the largest size has some 4,000 entries. */
const limits = { bytes: 512 * 1024, entries: 8000 };

const format = z.literal("windsock-syllabus-1").meta({ description: "The format of the document." });
const kind = z.enum(programKinds).meta({ examples: ["ppl_a"] });
const programName = text(120).meta({ examples: ["PPL(A)"] });

const document = newOf("Syllabus", {
  format,
  kind,
  name: programName,
  ...syllabus,
  aircraft_classes: syllabus.aircraft_classes.default(null),
});
export type Syllabus = z.output<typeof document>;
export const Syllabus: z.ZodType<Syllabus> = withLimits(limits, document);

const change = changeOf("SyllabusChange", syllabus);
export type SyllabusChange = z.output<typeof change>;
export const SyllabusChange: z.ZodType<SyllabusChange> = withLimits(limits, change);
