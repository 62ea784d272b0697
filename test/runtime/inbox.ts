/** A receiver whose tests wait for deliveries only. */
import type { Identity } from "../events/certificate.ts";
import { type Answering, newReceiver, type Received } from "../events/receiver.ts";
import { stretched } from "../support/limits.ts";

export interface Delivery {
  id: string;
  /** `event` of the body. */
  event: { type: string; id: string; occurred_at: string; data: Record<string, unknown> };
  headers: Received["headers"];
  body: string;
}

export interface Inbox {
  port: number;
  url: string;
  /** All deliveries until now. */
  deliveries: readonly Delivery[];
  /** The response to a delivery; 204 by default. */
  answer: Answering;
  /** Returns the next delivery of this type. @throws none arrives in time */
  take(type: string): Promise<Delivery>;
  close(): Promise<void>;
}

export async function newInbox(identity: Identity): Promise<Inbox> {
  const receiver = await newReceiver(identity);
  const deliveries: Delivery[] = [];
  const taken = new Set<Delivery>();
  const waiting = new Set<() => void>();
  const inbox: Inbox = {
    port: receiver.port,
    url: `https://127.0.0.1:${receiver.port}/windsock`,
    deliveries,
    answer: receiver.answer,
    async take(type) {
      const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
      const look = () => {
        const found = deliveries.find((delivery) => delivery.event.type === type && !taken.has(delivery));
        if (found === undefined) return;
        taken.add(found);
        waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => reject(new Error(`No ${type} arrived.`)), stretched(10_000));
      waiting.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
    },
    close: receiver.close,
  };
  receiver.answer = (response, received, count) => {
    const { headers, body } = received;
    deliveries.push({ id: String(headers["x-svc-webhook-delivery"]), event: JSON.parse(body).event, headers, body });
    inbox.answer(response, received, count);
    for (const look of waiting) look();
  };
  return inbox;
}
