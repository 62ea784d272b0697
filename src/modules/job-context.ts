import type { Clock } from "../core/clock.ts";
import type { Context } from "../storage/context.ts";
import type { Control } from "../storage/store.ts";

/** What a verb is given when a scheduled job carries it out. */
export const jobContext = (name: string, { control, clock }: { control: Control; clock: Clock }): Context => ({
  actor: { kind: "job", name },
  requestId: "",
  clock,
  control,
});
