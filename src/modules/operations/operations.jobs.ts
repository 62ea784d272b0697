import type { Job } from "../../scheduler/job.ts";
import type { Intents } from "../../storage/intents.ts";
import type { Control } from "../../storage/store.ts";
import { counted } from "../counted.ts";
import { countOpenIntents } from "./intents.queries.ts";

/** A start settles what a crash left open. This is for what could not be settled then. */
export const settleIntents = ({ control, intents }: { control: Control; intents: Intents }): Job => ({
  name: "intents",
  schedule: "*/5 * * * *",
  description: "Carries changes from the control database to the schools' files that could not be carried at once.",
  async run() {
    const open = await control.read(countOpenIntents);
    if (open === 0) return undefined;
    await intents.recover();
    const left = await control.read(countOpenIntents);
    if (left === 0) return { summary: `Settled ${counted(open, "intent")}.` };
    return { summary: `Settled ${Math.max(0, open - left)} of ${counted(open, "intent")}.`, failed: true };
  },
});
