/** The licence that a person holds. */
import { type Licence, licences } from "../rules/rules.ts";
import { type Holder, heldOn } from "./held.ts";

/** By the holder, because several rules ask about the same day. */
const answered = new WeakMap<Holder, { on: Temporal.PlainDate; licence: Licence | undefined }>();

/** Returns the highest licence that is valid on the day. */
export function licenceHeld(holder: Holder, on: Temporal.PlainDate): Licence | undefined {
  const last = answered.get(holder);
  if (last?.on === on) return last.licence;
  const licence = licences.findLast(
    (level) => heldOn(holder, { any_of: ["licence"], levels: [level] }, on).state === "valid",
  );
  answered.set(holder, { on, licence });
  return licence;
}
