/** The licence that a person holds on the day of a flight. */
import { toLegalDate } from "../../../core/dates.ts";
import { isValidOn } from "../../compliance/records/held.ts";
import type { HeldRecord } from "../../compliance/records/records.shapes.ts";
import { type Licence, licences } from "../../compliance/rules/rules.ts";
import type { PersonCase } from "./found.ts";

/** Returns the highest licence that is valid on the day. */
export function licenceHeld(records: readonly HeldRecord[], on: Temporal.PlainDate): Licence | undefined {
  const date = toLegalDate(on);
  const held = records.filter((record) => record.type === "licence" && isValidOn(record, date));
  return licences.findLast((level) => held.some((record) => record.level === level));
}

export const licenceOf = ({ person, on }: PersonCase): Licence | undefined => licenceHeld(person.records, on);

/** The holder of an LAPL needs recent experience in place of a rating SEP or TMG (FCL.140.A). */
export const isLapl = (of: PersonCase): boolean =>
  licenceOf(of) === "lapl" && (of.aircraft.class === "SEP" || of.aircraft.class === "TMG");
