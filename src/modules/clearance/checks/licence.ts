/** The licence that a person holds on the day of a flight. */
import { type Holder, heldOn } from "../../compliance/records/held.ts";
import { type Licence, licences } from "../../compliance/rules/rules.ts";
import type { PersonCase } from "./found.ts";

/** Returns the highest licence that is valid on the day. */
export const licenceHeld = (holder: Holder, on: Temporal.PlainDate): Licence | undefined =>
  licences.findLast((level) => heldOn(holder, { any_of: ["licence"], levels: [level] }, on).state === "valid");

export const licenceOf = ({ person, on }: PersonCase): Licence | undefined => licenceHeld(person, on);

/** The holder of an LAPL needs recent experience in place of a rating SEP or TMG (FCL.140.A). */
export const isLapl = (of: PersonCase): boolean =>
  licenceOf(of) === "lapl" && (of.aircraft.class === "SEP" || of.aircraft.class === "TMG");
