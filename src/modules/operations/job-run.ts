import { z } from "zod";
import { instantOut } from "../../http/fields.ts";

/** How a run of a job ended, for whoever asked for it. */
export const JobRun = z.strictObject({
  started_at: instantOut,
  finished_at: instantOut,
  /** `idle`: there was nothing to do, and nothing was written down. */
  outcome: z.enum(["succeeded", "failed", "idle"]),
  summary: z.string(),
});
