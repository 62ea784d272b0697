/** Built-in syllabi for ratings and certificates, and from the LAPL to the PPL. The words are Windsock's own; a school adapts them. */
import type { Source } from "../../compliance/rules/rule.ts";
import { aeroplaneClasses, laplLimits, ratingTrainings as rules } from "../../compliance/rules/rules.ts";
import { type Minimum, ratingMinima } from "../../compliance/rules/training-minima.ts";
import type { ProgramKind } from "../programs/program-kinds.ts";
import type { Lesson, Syllabus } from "../revisions/syllabus.schemas.ts";
import { scaleCode, scales } from "./scales.ts";

type Given = readonly [
  code: string,
  name: string,
  kind: Lesson["kind"],
  requires: readonly string[],
  ...items: string[],
];

const lessonOf = ([code, name, kind, requires, ...items]: Given): Lesson => ({
  ...{ code, name, kind, phase: null, requires: [...requires] },
  items: items.map((item, at) => ({ code: String(at + 1), name: item, scale: scaleCode, milestone: null })),
});

interface Details {
  kind: ProgramKind;
  name: string;
  rule: { source: Source };
  minima: Minimum[];
  classes?: Syllabus["aircraft_classes"];
  skill_test?: boolean;
}

const syllabusOf = (
  { kind, name, rule: { source }, minima, classes = [...aeroplaneClasses], skill_test = false }: Details,
  lessons: readonly Given[],
): Syllabus => ({
  ...{ format: "windsock-syllabus-1", kind, name, legal_basis: `${source.article}, ${source.regulation}` },
  ...{ effective_from: source.effective_from, skill_test, theory: null, subjects: [], minima },
  ...{ aircraft_classes: classes, scales, phases: [], lessons: lessons.map(lessonOf) },
});

const { ppl_from_lapl, tmg, night, aerobatic, towing, cri, fe } = rules;

/** Who holds an LAPL(A) has passed the theory exams. */
export const pplFromLapl = syllabusOf(
  {
    ...{ kind: "ppl_a", name: "PPL(A) for holders of an LAPL(A)", rule: ppl_from_lapl },
    ...{ minima: ratingMinima(ppl_from_lapl), classes: [...laplLimits.classes], skill_test: true },
  },
  [
    [
      "1",
      "Basic instrument flight",
      "dual",
      [],
      "Straight and level, climbing and descending",
      "Turns",
      "Recovers from unusual attitudes",
    ],
    ["2", "Radio navigation", "dual", [], "Determines the position", "Tracks to and from a facility", "Uses GNSS"],
    [
      "3",
      "Cross-country flight with an instructor",
      "dual",
      [],
      "Plans the flight",
      "Controlled airspace and aerodromes",
      "Diverts",
    ],
    ["4", "Solo flight", "solo", [], "Circuits and the training area"],
    ["5", "Solo cross-country flights", "solo", ["3"], "Plans and flies alone", "Flies the long cross-country flight"],
    ["6", "Preparation for the skill test", "dual", ["1", "2", "5"], "Flies as the skill test asks for"],
  ],
);

export const tmgClass = syllabusOf(
  { kind: "tmg", name: "Class rating TMG", rule: tmg, minima: ratingMinima(tmg), classes: ["TMG"], skill_test: true },
  [
    [
      "1",
      "The touring motor glider",
      "ground",
      [],
      "Systems and engine management",
      "Operational procedures",
      "Flight performance and planning",
    ],
    ["2", "Handling", "dual", ["1"], "Air brakes", "Stalls and steep turns", "Stops and restarts the engine in flight"],
    [
      "3",
      "Take-off and landing",
      "dual",
      ["2"],
      `At least ${tmg.dual_landings} take-offs and landings with an instructor`,
      "Crosswind",
      "Landing with the engine stopped",
    ],
    ["4", "Solo take-offs and landings", "solo", ["3"], "Circuits alone"],
  ],
);

export const nightRating = syllabusOf(
  { kind: "night", name: "Night rating", rule: night, minima: ratingMinima(night) },
  [
    [
      "1",
      "Theory of night flight",
      "ground",
      [],
      "Night VFR and its minima",
      "Lights of aerodromes and aircraft",
      "Vision and its illusions",
      "Emergencies at night",
    ],
    ["2", "Basic instrument flight", "dual", [], "Flies by sole reference to instruments"],
    [
      "3",
      "Circuits at night",
      "dual",
      ["1", "2"],
      "Take-off, circuit and landing",
      "Landing without landing light",
      "Failure of the lights of the aerodrome",
    ],
    [
      "4",
      "Navigation at night",
      "dual",
      ["3"],
      `A cross-country flight of at least ${night.dual_cross_country_km} km`,
      "Diverts at night",
    ],
    ["5", "Solo at night", "solo", ["3"], "Take-offs and full-stop landings alone"],
  ],
);

export const aerobaticRating = syllabusOf(
  { kind: "aerobatic", name: "Aerobatic rating", rule: aerobatic, minima: ratingMinima(aerobatic) },
  [
    [
      "1",
      "Theory of aerobatics",
      "ground",
      [],
      `${aerobatic.pic_hours_before} hours as PIC since the licence, by the logbook`,
      "Human performance and load factors",
      "Limits of the aircraft",
      "Airspace, heights and lookout",
    ],
    [
      "2",
      "Confidence manoeuvres and recoveries",
      "dual",
      ["1"],
      "Slow flight, stalls and spins",
      "Recovers from unusual attitudes",
    ],
    [
      "3",
      "Aerobatic manoeuvres",
      "dual",
      ["2"],
      "Rolling manoeuvres",
      "Looping manoeuvres",
      "Combinations",
      "Enters and leaves a spin",
    ],
    ["4", "Emergencies", "dual", ["2"], "Recovers from failed manoeuvres", "Drills for leaving the aircraft"],
    ["5", "A sequence", "dual", ["3", "4"], "Plans and flies a sequence safely"],
  ],
);

export const towingRating = syllabusOf(
  { kind: "towing", name: "Towing of sailplanes", rule: towing, minima: ratingMinima(towing) },
  [
    [
      "1",
      "Theory of towing",
      "ground",
      [],
      `${towing.pic_hours_before} hours as PIC and ${towing.landings_before} take-offs and landings since the licence, by the logbook`,
      "Rules, ropes, weak links and releases",
      "Signals and communication",
      "Performance of the combination",
    ],
    [
      "2",
      "Towing with an instructor",
      "dual",
      ["1"],
      `At least ${towing.dual_flights} towing flights with an instructor`,
      "Take-off, crosswind included",
      "Circles on tow",
      "Descends on tow",
      "Releases and lands with the rope",
      "Emergencies, simulated",
    ],
    ["3", "Towing under supervision", "solo", ["2"], "Towing flights alone"],
    [
      "4",
      "Familiarisation in a sailplane",
      "ground",
      [],
      `${towing.familiarisation_flights} flights in a sailplane launched by an aircraft, or a licence for sailplanes`,
    ],
  ],
);

export const criCertificate = syllabusOf(
  { kind: "cri", name: "CRI(A), single-engine", rule: cri, minima: ratingMinima(cri) },
  [
    [
      "1",
      "Teaching and learning",
      "ground",
      [],
      "The learning process",
      "The teaching process",
      "Training philosophies and assessment",
      "Human performance in instruction",
      "Training administration",
    ],
    [
      "2",
      "Technical training",
      "ground",
      [],
      "Revision of technical knowledge",
      "Prepares lesson plans",
      "Instructs in a classroom",
    ],
    [
      "3",
      "Flight instruction",
      "dual",
      ["1", "2"],
      "Briefs and demonstrates an exercise",
      "Analyses and corrects faults",
      "Differences and refresher training",
      "Emergencies, as taught",
    ],
    ["4", "Assessment of competence", "dual", ["3"], "Ready for the assessment (FCL.935)"],
  ],
);

/** FCL.1015: by the competent authority, or by an organization that it approved for this. */
export const examinerCourse = syllabusOf(
  { kind: "fe", name: "Flight examiner FE(A), standardisation", rule: fe, minima: ratingMinima(fe), classes: null },
  [
    [
      "1",
      "Standardisation course",
      "ground",
      [],
      "Requirements of Part-FCL and national rules",
      "Conduct, briefing, assessment and debriefing",
      "Records, fees and protection of data",
      "Conflicts of interest",
    ],
    [
      "2",
      "Tests and checks under supervision",
      "ground",
      ["1"],
      `Conducts ${fe.conducted} tests or checks as applied for`,
    ],
    ["3", "Assessment of competence", "ground", ["2"], "Ready for the assessment (FCL.1020)"],
  ],
);
