/** The licence that a person holds. */
import { onceForBoth } from "../../../core/once.ts";
import { type Licence, licences } from "../rules/rules.ts";
import { type Holder, heldOn } from "./held.ts";

/** Returns the highest licence that is valid on the day. */
export const licenceHeld = onceForBoth((holder: Holder, on: Temporal.PlainDate): Licence | undefined =>
  licences.findLast((level) => heldOn(holder, { any_of: ["licence"], levels: [level] }, on).state === "valid"),
);
