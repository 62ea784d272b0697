/**
 * `start --demo`: a school to look at, and one flight whose approval arrives, signed, at a receiver of its own. The demo
 * is a client of the server it runs in: it makes everything through the HTTP API, so what it shows is what there is.
 */
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { seconds } from "../core/clock.ts";
import { addressPolicy } from "../events/outbound/addresses.ts";
import { createSender, type Send, type SenderOptions } from "../events/outbound/sender.ts";
import type { VetUrl } from "../events/outbound/vet-url.ts";
import { Revealed } from "./api.ts";
import { type Delivery, startReceiver } from "./receiver.ts";
import { type DemoSchool, type Flown, foundSchool } from "./school.ts";
import { arrival, type Played, story } from "./story.ts";

export interface Demo {
  /** In place of what checks addresses: the receiver's URL is allowed, this one and nothing else on the loopback. */
  vetUrl(usual: VetUrl): VetUrl;
  /** In place of `createSender`: what goes to the receiver is sent by one that may dial it and trusts its certificate. */
  createSender(options: SenderOptions): Send & { close(): void };
  /**
   * Makes the school in the server at `url` and plays the flight. Later deliveries are told of as well.
   *
   * @param address what to print in place of `url`: what people open
   * @param say     what to print, in whole lines
   */
  play(server: { url: string; address: string }, say: (text: string) => void): Promise<void>;
  /** Closes the receiver. To be called after the server's stop, which waits for deliveries under way. */
  close(): void;
}

/** @throws when the data directory holds anything: the demo is for an empty one */
export async function prepareDemo({ dataDir }: { dataDir: string }): Promise<Demo> {
  await requireEmpty(dataDir);
  const receiver = await startReceiver();
  return {
    vetUrl: (usual) => async (url, orgId) => (url === receiver.url ? url : usual(url, orgId)),
    createSender(options) {
      const usual = createSender(options);
      const policy = addressPolicy(["127.0.0.1/32"]);
      const toReceiver = createSender({ ...options, policy, ca: receiver.certificate });
      const send: Send = (outgoing) => (outgoing.url === receiver.url ? toReceiver : usual)(outgoing);
      const close = () => {
        usual.close();
        toReceiver.close();
      };
      return Object.assign(send, { close });
    },
    async play({ url, address }, say) {
      const school = await foundSchool(url);
      const deliveries = inbox();
      receiver.onDelivery(deliveries.put);

      const endpoint = {
        url: receiver.url,
        description: "The demo's receiver, which is gone when the demo has ended: then delete this endpoint.",
        event_types: ["flight.submitted", "flight.approved", "flight.rejected"],
      };
      const path = `/orgs/${school.id}/integrations/webhook-endpoints`;
      const { id, secret } = (await school.api.post(path, Revealed, endpoint, school.owner.token)).data;
      receiver.verifyWith(secret);
      await school.api.post(`${path}/${id}/ping`, z.unknown(), undefined, school.owner.token);
      await deliveries.take("webhook.test");

      const told = { address, receiver: receiver.url, endpointId: id, dataDir, school };
      say(story({ ...told, ...(await fly(school, deliveries)) }));
      receiver.onDelivery((delivery) => say(arrival(delivery)));
    },
    close: () => receiver.close(),
  };
}

/** What a fresh clone has, and what a start leaves that failed or that nobody signed up to. */
const belongsToNobody = /^(README\.md|\..*|(control|lock)\.db(-wal|-shm)?|secret\.key|operator\.sock)$/;

/** What is there already belongs to somebody: a school's file, or one that isn't ours. */
async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.every((name) => belongsToNobody.test(name))) return;
  throw new Error(
    `The demo wants an empty data directory, and ${directory} is not: start without --demo to serve what is there, or set WINDSOCK_DATA_DIR to another one.`,
  );
}

async function fly(school: DemoSchool, deliveries: Inbox): Promise<Played> {
  const { student, instructor } = school;
  const flight: Flown = {
    registration: "D-EABC",
    hoursAgo: 1,
    minutes: 62,
    from: "EDFE",
    to: "EDKB",
    lesson: "18a navigation",
    hobbs: ["1234.50", "1235.50"],
    crew: [{ account: student, function: "solo" }],
  };
  const before = await school.hobbs(flight.registration);
  const id = await school.draft(student, flight);
  await school.submit(student, id);
  const submitted = await deliveries.take("flight.submitted");
  await school.approve(instructor, id);
  const approved = await deliveries.take("flight.approved");
  return { flight, hobbs: { before, after: await school.hobbs(flight.registration) }, submitted, approved };
}

interface Inbox {
  put(delivery: Delivery): void;
  /** Waits for the delivery of an event of this type. @throws when none comes */
  take(type: string): Promise<Delivery>;
}

const patience = seconds(15);

function inbox(): Inbox {
  const arrived: Delivery[] = [];
  let look = () => {};
  return {
    put(delivery) {
      arrived.push(delivery);
      look();
    },
    async take(type) {
      const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
      look = () => {
        const found = arrived.find(({ event }) => event.type === type);
        if (found) resolve(found);
      };
      look();
      const timer = setTimeout(() => reject(new Error(`The demo's receiver was not told of ${type}.`)), patience);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
