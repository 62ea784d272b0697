/**
 * The record types that every school has from the start. The migration `compliance` writes them into the table, where the
 * school may change the days of warning. A test compares the two.
 */
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
}

/** Without a valid one of these, an aircraft may not fly, and a simulator may not be used: the note of the grounding. */
export const groundingNotes: Readonly<Record<string, string>> = {
  arc: "No valid airworthiness review certificate.",
  insurance: "No valid insurance.",
  fstd_qualification: "No valid FSTD qualification certificate.",
};

export const builtInTypes: readonly BuiltInType[] = [
  {
    key: "medical",
    name: "Medical certificate",
    subject: "person",
    levels: ["class_1", "class_2", "lapl"],
    validity_months: null,
  },
  {
    key: "licence",
    name: "Pilot licence",
    subject: "person",
    levels: ["lapl", "ppl", "cpl", "atpl"],
    validity_months: null,
  },
  { key: "sep", name: "Class rating SEP", subject: "person", levels: [], validity_months: 24 },
  { key: "tmg", name: "Class rating TMG", subject: "person", levels: [], validity_months: 24 },
  { key: "mep", name: "Class rating MEP", subject: "person", levels: [], validity_months: 12 },
  { key: "ir", name: "Instrument rating", subject: "person", levels: [], validity_months: 12 },
  { key: "night", name: "Night rating", subject: "person", levels: [], validity_months: null },
  { key: "fi", name: "Flight instructor certificate", subject: "person", levels: [], validity_months: 36 },
  { key: "elp", name: "Language proficiency", subject: "person", levels: ["4", "5", "6"], validity_months: null },
  { key: "radio", name: "Radiotelephony certificate", subject: "person", levels: [], validity_months: null },
  { key: "arc", name: "Airworthiness review certificate", subject: "aircraft", levels: [], validity_months: 12 },
  { key: "cofa", name: "Certificate of airworthiness", subject: "aircraft", levels: [], validity_months: null },
  { key: "insurance", name: "Insurance", subject: "aircraft", levels: [], validity_months: 12 },
  { key: "radio_licence", name: "Aircraft radio licence", subject: "aircraft", levels: [], validity_months: null },
  { key: "noise_certificate", name: "Noise certificate", subject: "aircraft", levels: [], validity_months: null },
  { key: "weighing", name: "Weighing report", subject: "aircraft", levels: [], validity_months: null },
  {
    key: "fstd_qualification",
    name: "FSTD qualification certificate",
    subject: "aircraft",
    levels: [],
    validity_months: 12,
  },
  { key: "elt_battery", name: "ELT battery", subject: "aircraft", levels: [], validity_months: null },
];
