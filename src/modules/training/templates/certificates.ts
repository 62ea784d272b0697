/** Built-in syllabi for certificates of instructors and examiners. The words are Windsock's own; a school adapts them. */
import { ratingTrainings } from "../../compliance/rules/rules.ts";
import { ratingMinima } from "../../compliance/rules/training-minima.ts";
import { ratingSyllabus } from "./rating-syllabus.ts";

const { cri, fe } = ratingTrainings;

export const criCertificate = ratingSyllabus(
  {
    kind: "cri",
    name: { en: "CRI(A), single-engine", de: "CRI(A), einmotorig" },
    rule: cri,
    minima: ratingMinima(cri),
  },
  [
    {
      code: "1",
      kind: "ground",
      name: { en: "Teaching and learning", de: "Lehren und Lernen" },
      items: [
        { en: "The learning process", de: "Der Lernprozess" },
        { en: "The teaching process", de: "Der Lehrprozess" },
        { en: "Training philosophies and assessment", de: "Ausbildungskonzepte und Leistungsbeurteilung" },
        { en: "Human performance in instruction", de: "Menschliches Leistungsvermögen in der Ausbildung" },
        { en: "Training administration", de: "Verwaltung der Ausbildung" },
      ],
    },
    {
      code: "2",
      kind: "ground",
      name: { en: "Technical training", de: "Fachliche Ausbildung" },
      items: [
        { en: "Revision of technical knowledge", de: "Fachkenntnisse auffrischen" },
        { en: "Prepares lesson plans", de: "Unterrichtspläne ausarbeiten" },
        { en: "Instructs in a classroom", de: "Im Lehrsaal unterrichten" },
      ],
    },
    {
      code: "3",
      kind: "dual",
      requires: ["1", "2"],
      name: { en: "Flight instruction", de: "Flugunterricht" },
      items: [
        { en: "Briefs and demonstrates an exercise", de: "Eine Übung besprechen und vorfliegen" },
        { en: "Analyses and corrects faults", de: "Fehler erkennen und verbessern" },
        { en: "Differences and refresher training", de: "Unterschieds- und Auffrischungsschulung" },
        { en: "Emergencies, as taught", de: "Notverfahren vermitteln" },
      ],
    },
    {
      code: "4",
      kind: "dual",
      requires: ["3"],
      name: { en: "Assessment of competence", de: "Kompetenzbeurteilung" },
      items: [{ en: "Ready for the assessment (FCL.935)", de: "Bereit für die Kompetenzbeurteilung (FCL.935)" }],
    },
  ],
);

/** FCL.1015: by the competent authority, or by an organization that it approved for this. */
export const examinerCourse = ratingSyllabus(
  {
    kind: "fe",
    name: { en: "Flight examiner FE(A), standardisation", de: "Flugprüfer FE(A), Standardisierung" },
    rule: fe,
    minima: ratingMinima(fe),
    classes: null,
  },
  [
    {
      code: "1",
      kind: "ground",
      name: { en: "Standardisation course", de: "Standardisierungslehrgang" },
      items: [
        {
          en: "Requirements of Part-FCL and national rules",
          de: "Anforderungen aus Teil-FCL und nationale Vorschriften",
        },
        {
          en: "Conduct, briefing, assessment and debriefing",
          de: "Durchführung, Briefing, Beurteilung und Debriefing",
        },
        { en: "Records, fees and protection of data", de: "Aufzeichnungen, Gebühren und Datenschutz" },
        { en: "Conflicts of interest", de: "Interessenkonflikte" },
      ],
    },
    {
      code: "2",
      kind: "ground",
      requires: ["1"],
      name: {
        en: "Tests and checks under supervision",
        de: "Prüfungen und Befähigungsüberprüfungen unter Aufsicht",
      },
      items: [
        {
          en: `Conducts ${fe.conducted} tests or checks as applied for`,
          de: `${fe.conducted} Prüfungen oder Überprüfungen der beantragten Art abnehmen`,
        },
      ],
    },
    {
      code: "3",
      kind: "ground",
      requires: ["2"],
      name: { en: "Assessment of competence", de: "Kompetenzbeurteilung" },
      items: [{ en: "Ready for the assessment (FCL.1020)", de: "Bereit für die Kompetenzbeurteilung (FCL.1020)" }],
    },
  ],
);
