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

/** `3 sessions`, `1 session` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
