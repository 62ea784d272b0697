/**
 * `serve --demo`: creates a school, and one flight whose approval is delivered, signed, to the demo's own receiver. The demo
 * is an HTTP client of the server it runs in.
 */
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { seconds } from "../core/clock.ts";
import { addressPolicy } from "../events/outbound/addresses.ts";
import { createSender, type Send, type SenderOptions } from "../events/outbound/sender.ts";
import type { VetUrl } from "../events/outbound/vet-url.ts";
import { NewEndpoint } from "./api.ts";
import { selfSigned } from "./certificate.ts";
import type { DemoFlight, DemoSchool } from "./demo-school.ts";
import { type Delivery, startReceiver } from "./receiver.ts";
import { createSchool } from "./school.ts";
import { type DeliveredFlight, deliveryLine, story } from "./story.ts";

export interface Demo {
  /** Wraps the check of webhook addresses: also allows the receiver's URL, and no other on the loopback. */
  vetUrl(usual: VetUrl): VetUrl;
  /** Replaces `createSender`: requests to the receiver use a sender that may connect to it and trusts its certificate. */
  createSender(options: SenderOptions): Send & { close(): void };
  /**
   * Creates the school and the flight in the server at `url`, and prints them. Prints later deliveries as well.
   *
   * @param address the address to print in place of `url`
   * @param print   takes whole lines
   */
  play(server: { url: string; address: string }, print: (text: string) => void): Promise<void>;
  /** Closes the receiver. Call it after the server's stop, which waits for deliveries in progress. */
  close(): void;
}

/** @throws the data directory is not empty */
export async function prepareDemo({ dataDir }: { dataDir: string }): Promise<Demo> {
  await requireEmpty(dataDir);
  const certificate = selfSigned(new Date());
  const secrets: string[] = [];
  const receiver = await startReceiver({ certificate, secrets: () => secrets });
  return {
    vetUrl: (usual) => async (url, orgId) => (url === receiver.url ? url : usual(url, orgId)),
    createSender(options) {
      const usual = createSender(options);
      const policy = addressPolicy(["127.0.0.1/32"]);
      const toReceiver = createSender({ ...options, policy, ca: certificate.cert });
      const send: Send = (outgoing) => (outgoing.url === receiver.url ? toReceiver : usual)(outgoing);
      const close = () => {
        usual.close();
        toReceiver.close();
      };
      return Object.assign(send, { close });
    },
    async play({ url, address }, print) {
      const school = await createSchool(url);
      const deliveries = inbox();
      receiver.onDelivery(deliveries.put);

      const endpoint = {
        url: receiver.url,
        description: "The demo's receiver. It ends with the demo: delete this endpoint then.",
        event_types: ["flight.submitted", "flight.approved", "flight.rejected"],
      };
      const path = `/orgs/${school.id}/integrations/webhook-endpoints`;
      const { id, secret } = (await school.api.post(path, NewEndpoint, endpoint, school.owner.token)).data;
      secrets.push(secret);
      await school.api.post(`${path}/${id}/ping`, z.unknown(), undefined, school.owner.token);
      await deliveries.take("webhook.test");

      const setting = { address, receiver: receiver.url, endpointId: id, dataDir, school };
      print(story({ ...setting, ...(await addFlight(school, deliveries)) }));
      receiver.onDelivery((delivery) => print(deliveryLine(delivery)));
    },
    close: () => receiver.close(),
  };
}

/** Files without records: those of a fresh clone, and those of a start without a sign-up. */
const hasNoRecords = /^(README\.md|\..*|(control|lock)\.db(-wal|-shm)?|secret\.key|in-use\.json|operator\.sock)$/;

/** Rejects a directory with other files: they may be a school's, or another program's. */
async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.every((name) => hasNoRecords.test(name))) return;
  throw new Error(
    `The demo needs an empty data directory, and ${directory} is not empty. Start without --demo to serve its data, or set WINDSOCK_DATA_DIR to another directory.`,
  );
}

async function addFlight(school: DemoSchool, deliveries: Inbox): Promise<DeliveredFlight> {
  const { student, instructor } = school;
  const flight: DemoFlight = {
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
  /** Waits for the delivery of an event of this type. @throws none arrives in time */
  take(type: string): Promise<Delivery>;
}

const timeout = seconds(15);

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
      const timer = setTimeout(() => reject(new Error(`The demo's receiver did not receive ${type}.`)), timeout);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
