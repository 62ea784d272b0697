import type { Clock } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";
import { occasion } from "../../storage/occasions.ts";

/** In the control database. */
export const accountRenamed = occasion<{ id: UserId; name: string; clock: Clock }, "control">(
  "an account has another name",
  ["organizations"],
);
