/** Asks what a booking or a change would answer: when it stays the same for a moment, and the newest answer wins. */
import { type Signal, signal } from "@preact/signals";
import type { NewPlanningSession, PlanningDryRun, PlanningSessionChange } from "../../api/operations.ts";
import { call } from "../../app/session.ts";

export type Preview =
  | { kind: "none" }
  | { kind: "asking" }
  | { kind: "tried"; tried: PlanningDryRun }
  | { kind: "refused"; problem: unknown };

/** A booking that is new, or the change of one. */
export type Asked = { body: NewPlanningSession } | { sessionId: string; body: PlanningSessionChange };

export interface Asker {
  preview: Signal<Preview>;
  /** What was asked is no longer what is chosen, and the next question comes later. */
  wait(): void;
  /** @param asked `undefined`: there is nothing to ask */
  ask(asked: Asked | undefined): void;
}

/** Milliseconds: somebody who drags does not stop at each quarter of an hour. */
const pause = 120;

export function createAsker(): Asker {
  const preview = signal<Preview>({ kind: "none" });
  let known: string | undefined = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const wait = () => {
    // It waits already: this is called for each step of a drag.
    if (known === undefined) return;
    known = undefined;
    clearTimeout(timer);
    running?.abort();
    running = undefined;
    if (preview.peek().kind !== "asking") preview.value = { kind: "asking" };
  };
  return {
    ...{ preview, wait },
    ask(asked) {
      const key = asked === undefined ? "" : JSON.stringify(asked);
      if (key === known) return;
      wait();
      known = key;
      if (asked === undefined) {
        preview.value = { kind: "none" };
        return;
      }
      timer = setTimeout(async () => {
        const own = new AbortController();
        running = own;
        const answer = await send(asked, own.signal);
        if (running === own) preview.value = answer;
      }, pause);
    },
  };
}

async function send(asked: Asked, signal: AbortSignal): Promise<Preview> {
  try {
    const { data } =
      "sessionId" in asked
        ? await call("POST /orgs/{orgId}/planning/sessions/{sessionId}/dry-run", {
            ...{ path: { sessionId: asked.sessionId }, body: asked.body, signal },
          })
        : await call("POST /orgs/{orgId}/planning/sessions/dry-run", { body: asked.body, signal });
    return { kind: "tried", tried: data };
  } catch (problem) {
    return { kind: "refused", problem };
  }
}
