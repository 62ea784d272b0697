import type { createSender, Outgoing, SenderOptions } from "../../src/events/outbound/sender.ts";

/** Replaces the webhook sender: sends nothing, and every request succeeds when the test calls `answer`. */
export function heldSender() {
  const begun = Promise.withResolvers<Outgoing>();
  const answered = Promise.withResolvers<void>();
  const made: SenderOptions[] = [];
  let sent = 0;
  const create: typeof createSender = (options) => {
    made.push(options);
    const send = async (outgoing: Outgoing) => {
      sent += 1;
      begun.resolve(outgoing);
      await answered.promise;
      return { errorClass: null, status: 204, headers: {}, body: null, durationMs: 1 };
    };
    return Object.assign(send, { close: () => undefined });
  };
  return { create, made, begun: begun.promise, answer: answered.resolve, sent: () => sent };
}
