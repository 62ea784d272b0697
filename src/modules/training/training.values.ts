import type { AircraftClass } from "../fleet/fleet.values.ts";

/** All classes but simulators. */
export const flownClasses = [
  "SEP",
  "MEP",
  "TMG",
  "SET",
  "sailplane",
  "helicopter",
  "other",
] as const satisfies AircraftClass[];

export type FlownClass = (typeof flownClasses)[number];

export const revisionStatuses = ["draft", "published", "retired"] as const;

export interface Named {
  code: string;
  name: string;
}

/** How a lesson is given: in flight with an instructor or solo, in a simulator, or on the ground. */
export const lessonKinds = ["dual", "solo", "simulator", "ground"] as const;

/** What an instructor with restricted privileges may not send a student on (FCL.910.FI). */
export const milestones = ["first_solo", "first_solo_cross_country"] as const;

export const enrollmentStatuses = ["active", "suspended", "completed", "withdrawn"] as const;
