import type { Clock, Instant } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";
import { occasion, question } from "../../storage/occasions.ts";

/** In the control database. */
export const accountRenamed = occasion<{ id: UserId; name: string; clock: Clock }, "control">(
  "an account has another name",
  ["organizations"],
);

/** Where nobody may sign up, an address that is invited may, if it is verified. In the control database. */
export const isInvited = question<{ email: string; now: Instant }, boolean, "control">(
  "whether an address has an open invite",
  ["organizations"],
);
