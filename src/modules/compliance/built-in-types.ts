/**
 * The record types that every school has from the start. The migration `compliance` writes them into the table, where the
 * school may change the days of warning. A test compares the two.
 */
import type { Language } from "../../core/languages.ts";

export const subjects = ["person", "aircraft"] as const;
export type Subject = (typeof subjects)[number];

export interface BuiltInType {
  key: string;
  name: string;
  subject: Subject;
  /** The classes or levels, one of which a record names. None: records have no level. */
  levels: readonly string[];
  /** Suggested; null: unlimited, or by a rule (`rules/rules.ts`). */
  validity_months: number | null;
  /** A record has an expiry. Not if it is of a level that a rule makes unlimited. */
  valid_until_required: boolean;
}

/** Without a valid one of these, an aircraft may not fly, and a simulator may not be used: the note of the grounding. */
export const groundingNotes: Readonly<Record<string, string>> = {
  arc: "No valid airworthiness review certificate.",
  insurance: "No valid insurance.",
  fstd_qualification: "No valid FSTD qualification certificate.",
};

type Details = Omit<BuiltInType, "key" | "name" | "subject">;

const typeOf =
  (subject: Subject) =>
  (key: string, name: string, details: Partial<Details> = {}): BuiltInType => ({
    key,
    name,
    subject,
    levels: [],
    validity_months: null,
    valid_until_required: false,
    ...details,
  });
const person = typeOf("person");
const aircraft = typeOf("aircraft");

export const builtInTypes: readonly BuiltInType[] = [
  person("medical", "Medical certificate", { levels: ["class_1", "class_2", "lapl"], valid_until_required: true }),
  person("licence", "Pilot licence", { levels: ["lapl", "ppl", "cpl", "atpl"] }),
  person("sep", "Class rating SEP", { validity_months: 24, valid_until_required: true }),
  person("tmg", "Class rating TMG", { validity_months: 24, valid_until_required: true }),
  person("mep", "Class rating MEP", { validity_months: 12, valid_until_required: true }),
  person("ir", "Instrument rating", { validity_months: 12, valid_until_required: true }),
  person("night", "Night rating"),
  person("fi", "Flight instructor certificate", { validity_months: 36, valid_until_required: true }),
  person("elp", "Language proficiency", { levels: ["4", "5", "6"], valid_until_required: true }),
  person("lapl_check", "Proficiency check for the LAPL(A)", { validity_months: 24 }),
  person("radio", "Radiotelephony certificate"),
  person("fi_seminar", "Instructor refresher training"),
  person("fi_assessment", "Assessment of competence of an instructor"),
  person("cri", "Class rating instructor certificate", { validity_months: 36, valid_until_required: true }),
  person("fe", "Flight examiner certificate", { validity_months: 36, valid_until_required: true }),
  person("aerobatic", "Aerobatic rating"),
  person("towing", "Towing rating", { levels: ["sailplane", "banner"] }),
  aircraft("arc", "Airworthiness review certificate", { validity_months: 12, valid_until_required: true }),
  aircraft("cofa", "Certificate of airworthiness"),
  aircraft("insurance", "Insurance", { validity_months: 12, valid_until_required: true }),
  aircraft("radio_licence", "Aircraft radio licence"),
  aircraft("noise_certificate", "Noise certificate"),
  aircraft("weighing", "Weighing report"),
  aircraft("fstd_qualification", "FSTD qualification certificate", { validity_months: 12, valid_until_required: true }),
  aircraft("elt_battery", "ELT battery", { valid_until_required: true }),
];

/** What a German school calls them. `name` is English: of all schools alike. */
const german: Readonly<Record<string, string>> = {
  medical: "Tauglichkeitszeugnis",
  licence: "Pilotenlizenz",
  sep: "Klassenberechtigung SEP",
  tmg: "Klassenberechtigung TMG",
  mep: "Klassenberechtigung MEP",
  ir: "Instrumentenflugberechtigung",
  night: "Nachtflugberechtigung",
  fi: "Lehrberechtigung FI",
  elp: "Sprachkenntnisse",
  lapl_check: "Befähigungsüberprüfung LAPL(A)",
  radio: "Sprechfunkzeugnis",
  fi_seminar: "Fortbildung für Lehrberechtigte",
  fi_assessment: "Kompetenzbeurteilung für Lehrberechtigte",
  cri: "Lehrberechtigung CRI",
  fe: "Prüferberechtigung FE",
  aerobatic: "Kunstflugberechtigung",
  towing: "Schleppberechtigung",
  arc: "Lufttüchtigkeitsprüfung (ARC)",
  cofa: "Lufttüchtigkeitszeugnis",
  insurance: "Versicherung",
  radio_licence: "Genehmigung der Luftfunkstelle",
  noise_certificate: "Lärmzeugnis",
  weighing: "Wägebericht",
  fstd_qualification: "Qualifikation des Simulators (FSTD)",
  elt_battery: "ELT-Batterie",
};

/** Returns the name of a type: of a built-in one in the language, of a school's own as the school wrote it. */
export const typeNameIn = (language: Language, { key, name }: Pick<BuiltInType, "key" | "name">): string =>
  (language === "de" ? german[key] : undefined) ?? name;
