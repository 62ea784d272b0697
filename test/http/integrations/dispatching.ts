/** Makes the deliveries of a school to a receiver with given responses. */
import { createDispatcher } from "../../../src/events/dispatcher.ts";
import type { Outcome } from "../../../src/events/outbound/outcome.ts";
import type { Outgoing } from "../../../src/events/outbound/sender.ts";
import type { School } from "../../support/school.ts";
import { tenantOf } from "./events.ts";

export const answered = (status: number, durationMs = 10): Outcome => ({
  errorClass: status >= 200 && status < 300 ? null : "status",
  status,
  headers: { server: "test" },
  body: "seen",
  durationMs,
});

export const noAnswer = (errorClass: "timeout" | "connect", durationMs = 10_000): Outcome => ({
  errorClass,
  status: null,
  headers: null,
  body: null,
  durationMs,
});

export interface Delivering {
  /** The received requests, in order. */
  sent: Outgoing[];
  /** Makes all attempts that are due. */
  settle(): Promise<unknown>;
}

export function delivering(school: School, answer: (outgoing: Outgoing) => Outcome): Delivering {
  const { clock } = school.installation;
  const sent: Outgoing[] = [];
  const tenant = tenantOf(school);
  const dispatcher = createDispatcher({
    tenant: () => tenant,
    wakeUps: async () => [],
    clock,
    send: async (outgoing) => {
      sent.push(outgoing);
      return answer(outgoing);
    },
    log: { warn: () => undefined, error: () => undefined },
  });
  return {
    sent,
    async settle() {
      dispatcher.wake(tenant.id);
      return dispatcher.sendDue();
    },
  };
}
