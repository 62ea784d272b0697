/** The licence that a person holds on the day of a flight. */
import { licenceHeld } from "../../compliance/records/licence.ts";
import type { Licence } from "../../compliance/rules/rules.ts";
import type { PersonCase } from "./found.ts";

export const licenceOf = ({ person, on }: Pick<PersonCase, "person" | "on">): Licence | undefined =>
  licenceHeld(person, on);

/** The holder of an LAPL needs recent experience in place of a rating SEP or TMG (FCL.140.A). */
export const isLapl = (personCase: PersonCase): boolean =>
  licenceOf(personCase) === "lapl" && (personCase.aircraft.class === "SEP" || personCase.aircraft.class === "TMG");
