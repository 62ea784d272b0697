/** Whether what a browser has kept of a flight can be gone on with. */
import type { Flight } from "../../api/operations.ts";
import type { Kept } from "./saving.ts";

/** An older version of the console may have kept something else. */
export const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "entry" in value &&
  typeof value.entry === "object" &&
  value.entry !== null &&
  "typed" in value.entry &&
  "crew" in value.entry;

/** It is not: the flight was changed or submitted elsewhere since. */
export const isCurrent = ({ savedAt }: Kept, { status, updated_at }: Flight): boolean =>
  (status === "draft" || status === "rejected") && savedAt === updated_at;
