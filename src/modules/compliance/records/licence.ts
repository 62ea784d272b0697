/** The licence that a person holds. */
import { onceForBoth } from "../../../core/once.ts";
import { type Licence, licences } from "../rules/rules.ts";
import { type Holder, heldOn } from "./held.ts";

const highestFirst = licences.map((level) => ({ level, needed: { any_of: ["licence"], levels: [level] } })).reverse();

/** Returns the highest licence that is valid on the day. */
export const licenceHeld = onceForBoth(
  (holder: Holder, on: Temporal.PlainDate): Licence | undefined =>
    highestFirst.find(({ needed }) => heldOn(holder, needed, on).state === "valid")?.level,
);
