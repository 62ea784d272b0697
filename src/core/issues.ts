/**
 * The faults that a field can have: `issues[].code`, and its sentence. What is in braces is a value of `params`, so that a
 * client can say the same in another language. Names are stable. The console has a sentence for each in its languages.
 */
import type { Format } from "./formats.ts";
import type { Reason } from "./reasons.ts";

/** What a value must be. */
export const kinds = ["text", "number", "whole_number", "boolean", "list", "object", "null", "other"] as const;
export type Kind = (typeof kinds)[number];

/** The values of `params`, by name. */
export interface IssueValues {
  min: number;
  max: number;
  /** The name of another field. */
  field: string;
  fields: readonly string[];
  format: Format;
  kind: Kind;
  divisor: number;
  /** The most similar name. */
  nearest: string | null;
  options: readonly string[];
  reason: Reason | null;
}

export const issueCodes = {
  // What schemas find.
  control_characters: "Must not contain control characters.",
  common_password: "Must not be among the most common passwords. Attackers try those first.",
  empty: "Must not be empty.",
  given_twice: "Must be given only once.",
  invalid: "Is not valid.",
  invalid_format: "Must have the format `{format}`.",
  invalid_type: "Must be of the kind `{kind}`.",
  invalid_value: "Must be one of: {options}.",
  no_such_day: "This day does not exist.",
  no_such_field: "There is no such field. The most similar name is `{nearest}`.",
  no_words: "Must have a letter or a digit.",
  not_above: "Must be more than {min}.",
  not_after: "Must be after `{field}`.",
  not_ascending: "Must be in ascending order.",
  not_before: "Must not be before `{field}`.",
  not_below: "Must be less than {max}.",
  not_between: "Must be between {min} and {max}.",
  not_both: "Give only one of {fields}.",
  not_multiple_of: "Must be a multiple of {divisor}.",
  not_unicode: "Must be valid Unicode.",
  not_visible: "Must have a visible character.",
  nothing_to_change: "Nothing to change.",
  one_needed: "Give one of {fields}.",
  only_solo: "Only a solo flight is supervised from the ground.",
  repeated: "Must be named only once.",
  required: "Is missing.",
  reserved_name: "Windsock or the connection sets this header.",
  solo_passengers: "A solo flight has no passengers.",
  too_big: "Must be at most {max}.",
  too_few: "Must have at least {min} items.",
  too_long: "Must have at most {max} characters.",
  too_many: "Must have at most {max} items.",
  too_many_days: "Must cover at most {max} days.",
  too_many_words: "Must have at most {max} words.",
  too_short: "Must have at least {min} characters.",
  too_small: "Must be at least {min}.",

  // What verbs find. The message says more.
  ambiguous: "Several records match. Name one by its id.",
  blocked_port: "The port is reserved for another protocol.",
  colon: "Must not contain a colon.",
  conflict: "Contradicts other records: `{reason}`.",
  credentials: "Must not contain a user name or a password.",
  crew: "The crew does not fit the flight.",
  differs: "The stored record differs.",
  distance: "Only a minimum of `long_cross_country` has a distance, and it needs one.",
  duplicate: "It exists already.",
  erased: "The person's data was erased. Add the person anew.",
  impossible: "Does not fit the other values, or the records.",
  in_future: "Must not be in the future.",
  in_the_past: "Must not be in the past.",
  incomplete: "A submitted flight needs it.",
  instructor_alone: "An instructor trains a crew member.",
  invalid_csv: "Is not CSV.",
  invalid_url: "Must be a URL.",
  length: "Must have {min} to {max} characters.",
  missing: "This kind needs a value.",
  needed_here: "Must be stated: the country has postcodes.",
  no_membership: "You are not a member of any organization.",
  no_pass: "One of them must pass.",
  not_allowed: "Has no value here.",
  not_enrolled: "No student on board is enrolled in it.",
  not_https: "Must be an https URL.",
  not_in_effect: "Is not in effect on that day.",
  out_of_order: "Is before what it follows.",
  overlap: "Overlaps another flight.",
  refused_address: "The host has no public address.",
  solo: "A solo flight has one student, who is alone on board (FCL.010).",
  students_exceeded: "There are more students than places.",
  supervision: "Does not fit the supervision of restricted instructors.",
  too_high: "Must not exceed the aircraft's counter then.",
  too_low: "Must not be below the aircraft's counter then.",
  too_early: "Is before the first day.",
  unidentified: "Nothing names the record.",
  unknown: "There is no such record.",
  wrong_count: "The number of values is not that of the columns.",
} as const;

export type IssueCode = keyof typeof issueCodes;

export const issueCodeNames = Object.keys(issueCodes) as [IssueCode, ...IssueCode[]];

type NameIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

/** The values of a code. */
export type IssueParams<C extends IssueCode> = Pick<IssueValues, NameIn<(typeof issueCodes)[C]> & keyof IssueValues>;

/** Returns the sentence of a code with its values. */
export const sentenceOf = (code: IssueCode, params: object): string =>
  issueCodes[code].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = Reflect.get(params, name);
    return Array.isArray(value) ? value.join(", ") : String(value);
  });

/** Returns the names of a code's values. */
export const paramNames = (code: IssueCode): string[] =>
  [...issueCodes[code].matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();

const bySentence = new Map<string, IssueCode>(issueCodeNames.map((code) => [issueCodes[code], code]));

/** Returns the code without values whose sentence this is. Schemas of zod have room for a sentence only. */
export const codeSaid = (sentence: string): IssueCode | undefined => bySentence.get(sentence);
