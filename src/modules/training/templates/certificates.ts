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
    [
      "1",
      "ground",
      [],
      { en: "Teaching and learning", de: "Lehren und Lernen" },
      { en: "The learning process", de: "Der Lernprozess" },
      { en: "The teaching process", de: "Der Lehrprozess" },
      { en: "Training philosophies and assessment", de: "Ausbildungskonzepte und Leistungsbeurteilung" },
      { en: "Human performance in instruction", de: "Menschliches Leistungsvermögen in der Ausbildung" },
      { en: "Training administration", de: "Verwaltung der Ausbildung" },
    ],
    [
      "2",
      "ground",
      [],
      { en: "Technical training", de: "Fachliche Ausbildung" },
      { en: "Revision of technical knowledge", de: "Fachkenntnisse auffrischen" },
      { en: "Prepares lesson plans", de: "Unterrichtspläne ausarbeiten" },
      { en: "Instructs in a classroom", de: "Im Lehrsaal unterrichten" },
    ],
    [
      "3",
      "dual",
      ["1", "2"],
      { en: "Flight instruction", de: "Flugunterricht" },
      { en: "Briefs and demonstrates an exercise", de: "Eine Übung besprechen und vorfliegen" },
      { en: "Analyses and corrects faults", de: "Fehler erkennen und verbessern" },
      { en: "Differences and refresher training", de: "Unterschieds- und Auffrischungsschulung" },
      { en: "Emergencies, as taught", de: "Notverfahren vermitteln" },
    ],
    [
      "4",
      "dual",
      ["3"],
      { en: "Assessment of competence", de: "Kompetenzbeurteilung" },
      { en: "Ready for the assessment (FCL.935)", de: "Bereit für die Kompetenzbeurteilung (FCL.935)" },
    ],
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
    [
      "1",
      "ground",
      [],
      { en: "Standardisation course", de: "Standardisierungslehrgang" },
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
    [
      "2",
      "ground",
      ["1"],
      {
        en: "Tests and checks under supervision",
        de: "Prüfungen und Befähigungsüberprüfungen unter Aufsicht",
      },
      {
        en: `Conducts ${fe.conducted} tests or checks as applied for`,
        de: `${fe.conducted} Prüfungen oder Überprüfungen der beantragten Art abnehmen`,
      },
    ],
    [
      "3",
      "ground",
      ["2"],
      { en: "Assessment of competence", de: "Kompetenzbeurteilung" },
      { en: "Ready for the assessment (FCL.1020)", de: "Bereit für die Kompetenzbeurteilung (FCL.1020)" },
    ],
  ],
);
