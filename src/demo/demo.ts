/**
 * `serve --demo`: plays two months of a school, and one flight whose approval is delivered, signed, to the demo's own receiver.
 * The demo is an HTTP client of the server it runs in. It owns the server's clock, which is in the past until the months are
 * played: so all is dated when it happened, and flights, charges and invoices are as they would be.
 */
import { readdir } from "node:fs/promises";
import { z } from "zod";
import { type Clock, seconds } from "../core/clock.ts";
import { addressPolicy } from "../events/outbound/addresses.ts";
import { createSender, type Send, type SenderOptions } from "../events/outbound/sender.ts";
import type { VetUrl } from "../events/outbound/vet-url.ts";
import { apiAt } from "./api.ts";
import { selfSigned } from "./certificate.ts";
import { createDemoClock } from "./clock.ts";
import { firstMorning, playMonths } from "./play/months.ts";
import { type Delivery, startReceiver } from "./receiver.ts";
import { createKey } from "./school/api-key.ts";
import { zone } from "./school/demo-school.ts";
import { deliveryLine, playing, story } from "./story.ts";
import { deliverFlight } from "./webhook-flight.ts";

const NewEndpoint = z.object({ data: z.object({ id: z.string(), secret: z.string() }) });

export interface Demo {
  /** The server's. */
  clock: Clock;
  /** Wraps the check of webhook addresses: also allows the receiver's URL, and no other on the loopback. */
  vetUrl(usual: VetUrl): VetUrl;
  /** Replaces `createSender`: requests to the receiver use a sender that may connect to it and trusts its certificate. */
  createSender(options: SenderOptions): Send & { close(): void };
  /**
   * Plays the months and the flight in the server at `url`, and prints them. Prints later deliveries as well.
   *
   * @param address the address to print in place of `url`
   * @param print   takes whole lines
   */
  play(server: DemoServer, print: (text: string) => void): Promise<void>;
  /** Closes the receiver. Call it after the server's stop, which waits for deliveries in progress. */
  close(): void;
}

export interface DemoServer {
  url: string;
  address: string;
  /** Runs a job that the past days have made due, and that would run within a minute. */
  runJob(name: string): Promise<void>;
}

/** What the past days have made: shown before the first ten minutes are over. */
const madeDue = ["invoice-overdue", "compliance-evaluation", "maintenance-due"];

/** @throws the data directory is not empty */
export async function prepareDemo({ dataDir }: { dataDir: string }): Promise<Demo> {
  await requireEmpty(dataDir);
  const certificate = selfSigned(new Date());
  const secrets: string[] = [];
  const receiver = await startReceiver({ certificate, secrets: () => secrets });
  const today = Temporal.Now.plainDateISO(zone);
  const clock = createDemoClock(firstMorning(today));
  return {
    clock,
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
    async play({ url, address, runJob }, print) {
      print(playing(address));
      const school = await playMonths(apiAt(url, clock), clock, today);
      for (const name of madeDue) await runJob(name);
      const deliveries = inbox();
      receiver.onDelivery(deliveries.put);

      const endpoint = {
        url: receiver.url,
        description: "The demo's receiver. It ends with the demo: delete this endpoint then.",
        event_types: ["flight.submitted", "flight.approved", "flight.rejected"],
      };
      const path = `${school.org}/integrations/webhook-endpoints`;
      const { id, secret } = (await school.api.post(path, NewEndpoint, endpoint, school.owner)).data;
      secrets.push(secret);
      await school.api.act(`${path}/${id}/ping`, school.owner);
      await deliveries.take("webhook.test");

      const setting = { address, receiver: receiver.url, endpointId: id, dataDir, school };
      const apiKey = await createKey(school);
      print(story({ ...setting, apiKey, ...(await deliverFlight(school, deliveries)) }));
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
