/** What the demo knows of people. Days are counted from today: `-12` was twelve days ago. */

export interface Person {
  name: string;
  /** The part of the e-mail address before the @, by which the demo names the person. */
  key: string;
  types: readonly string[];
  born: string;
  /** `street, postcode city` in Germany. */
  address: string;
  licence?: string;
  /** Of records that expire: type, level, and the last day; null: unlimited. */
  records: readonly (readonly [type: string, level: string | null, lastDay: number | null])[];
  /** The role of the account; without one, the person has no account. */
  role?: "owner" | "instructor" | "mechanic" | "accountant" | "student";
}

export interface Student extends Person {
  program: "ppl-a" | "lapl-a";
  /** In how many days from today the training is planned to end. */
  plannedUntil: number | null;
  /** How many lessons the student had flown before the demo's months. */
  stage: number;
  /** Registrations, the usual one first. */
  flies: readonly string[];
  /** How often, compared with the others: the progress of some is ahead, of others behind. */
  pace: number;
}

export interface Pilot extends Person {
  flies: readonly string[];
  /** The last day on which the pilot hires an aircraft. */
  until?: number;
}

export const medical = (lastDay: number, level = "class_2") => ["medical", level, lastDay] as const;
/** What comes with the licence. */
export const ppl = [
  ["licence", "ppl", null],
  ["elp", "6", null],
  ["radio", null, null],
] as const;

export const emailOf = (key: string): string => `${key}@windyhill.example`;
