/** The licence that a person holds on the day of a flight. */
import { toLegalDate } from "../../../core/dates.ts";
import { isValidOn } from "../../compliance/records/held.ts";
import { medicalRule } from "../../compliance/rules/rules.ts";
import type { PersonCase } from "./found.ts";

type Level = keyof typeof medicalRule.enough;
const lowestFirst = Object.keys(medicalRule.enough) as Level[];

/** Returns the level of the highest licence that is valid on the day. */
export function licenceOf({ person, on }: PersonCase): Level | undefined {
  const date = toLegalDate(on);
  const held = person.records.filter((record) => record.type === "licence" && isValidOn(record, date));
  return lowestFirst.findLast((level) => held.some((record) => record.level === level));
}

/** The holder of an LAPL needs recent experience in place of a rating SEP or TMG (FCL.140.A). */
export const isLapl = (of: PersonCase): boolean =>
  licenceOf(of) === "lapl" && (of.aircraft.class === "SEP" || of.aircraft.class === "TMG");
