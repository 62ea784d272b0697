/** Schools in databases of their own, with a clock, a network and dispatchers that the test controls. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { toInstant } from "../../src/core/clock.ts";
import { type DeliveryId, type EndpointId, type EventId, newId, type OrgId, type UserId } from "../../src/core/ids.ts";
import type { EventType } from "../../src/events/catalog.ts";
import { createDispatcher, type Dispatcher, type DispatcherOptions } from "../../src/events/dispatcher.ts";
import { emitTo } from "../../src/events/emit.ts";
import { deliveries, deliveryAttempts, events, webhookEndpoints } from "../../src/events/events.tables.ts";
import type { Outcome } from "../../src/events/outbound/outcome.ts";
import type { Outgoing, Send } from "../../src/events/outbound/sender.ts";
import { nextDue } from "../../src/events/outbox.ts";
import { newSecret, sealSecret } from "../../src/events/signing-secrets.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { afterThisTest } from "../support/after-test.ts";
import { TestClock } from "../support/clock.ts";

export type DeliveryRow = typeof deliveries.$inferSelect;
export type AttemptRow = typeof deliveryAttempts.$inferSelect;

interface EndpointOptions {
  url?: string;
  types?: EventType[];
  enabled?: boolean;
}

export interface School {
  id: OrgId;
  tenant: Tenant;
  addEndpoint(options?: EndpointOptions): Promise<{ id: EndpointId; secret: string }>;
  /** Emits `webhook.test` to one endpoint. */
  ping(endpoint: EndpointId): Promise<{ eventId: EventId; deliveryId: DeliveryId }>;
  endpoint(id: EndpointId): Promise<typeof webhookEndpoints.$inferSelect>;
  delivery(id: DeliveryId): Promise<DeliveryRow>;
  deliveries(): Promise<DeliveryRow[]>;
  attempts(id: DeliveryId): Promise<AttemptRow[]>;
}

export interface Setup {
  clock: TestClock;
  storage: Storage;
  logged: string[];
  /** The fields of the lines that were logged. */
  details: Record<string, unknown>[];
  /** Resolves when a line with this text is logged. */
  whenLogged(text: string): Promise<void>;
  newSchool(): Promise<School>;
  /** Creates another dispatcher on the same databases, as after a restart. Storage wakes only the last one. */
  dispatcher(send: Send, options?: Partial<DispatcherOptions>): Dispatcher;
}

export async function newSetup(): Promise<Setup> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-events-"));
  const clock = new TestClock();
  const logged: string[] = [];
  const fields: Record<string, unknown>[] = [];
  const conditions = new Conditions();
  const note = (details: Record<string, unknown>, message: string) => {
    logged.push(`${message} ${String(details.err ?? "")}`);
    fields.push(details);
    conditions.check();
  };
  const log = { warn: note, error: note };
  let current: Dispatcher | undefined;
  const storage = await openStorage({
    directory,
    clock,
    log,
    nextWake: nextDue,
    onDue: (id, changed) => current?.wake(id, changed),
  });
  const dispatchers: Dispatcher[] = [];
  afterThisTest(async () => {
    for (const dispatcher of dispatchers) await dispatcher.stop(0);
    await storage.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    clock,
    storage,
    logged,
    details: fields,
    whenLogged: (text) => conditions.when(() => logged.some((line) => line.includes(text))),
    newSchool: () => newSchool(storage, clock),
    dispatcher(send, options) {
      const { tenants } = storage;
      const created = createDispatcher({
        tenant: (id) => tenants.tenant(id),
        wakeUps: () => tenants.wakeUps(),
        clock,
        send,
        log,
        ...options,
      });
      dispatchers.push(created);
      current = created;
      return created;
    },
  };
}

async function newSchool({ tenants, control }: Storage, clock: TestClock): Promise<School> {
  const id = newId<"organization">(clock);
  await tenants.create(id, { name: "School", time_zone: "UTC" });
  await control.write((tx) => tx.insert(tenantMarks).values({ org_id: id, dirty: true }));
  const tenant = tenants.tenant(id);
  const dataKey = await tenant.dataKey();
  const first = <T>([row]: T[]): T => {
    if (row === undefined) throw new Error("Row not found.");
    return row;
  };
  return {
    id,
    tenant,
    async addEndpoint({ url = "https://receiver.test/", types = ["webhook.test"], enabled = true } = {}) {
      const endpointId = newId<"webhook_endpoint">(clock);
      const secret = newSecret();
      await tenant.write((tx) =>
        tx.insert(webhookEndpoints).values({
          id: endpointId,
          url,
          event_types: types,
          enabled,
          primary_secret: sealSecret(dataKey, endpointId, secret),
          created_by: newId<"user">(clock) satisfies UserId,
          created_at: tx.now,
          updated_at: tx.now,
        }),
      );
      return { id: endpointId, secret };
    },
    ping: (endpointId) =>
      tenant.write((tx) => emitTo(tx, endpointId, webhookTest, { endpoint_id: endpointId, message: "Hello" })),
    endpoint: async (endpointId) =>
      first(
        await tenant.read((reader) =>
          reader.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId)),
        ),
      ),
    delivery: async (deliveryId) =>
      first(await tenant.read((reader) => reader.select().from(deliveries).where(eq(deliveries.id, deliveryId)))),
    deliveries: () => tenant.read((reader) => reader.select().from(deliveries).orderBy(deliveries.created_at)),
    attempts: (deliveryId) =>
      tenant.read((reader) =>
        reader
          .select()
          .from(deliveryAttempts)
          .where(eq(deliveryAttempts.delivery_id, deliveryId))
          .orderBy(deliveryAttempts.number),
      ),
  };
}

/** Returns all events of a school, oldest first. */
export const eventsOf = ({ tenant }: Pick<School, "tenant">) =>
  tenant.read((reader) => reader.select().from(events).orderBy(events.id));

export const succeeded: Outcome = { errorClass: null, status: 204, headers: {}, body: "", durationMs: 3 };
export const failed: Outcome = { errorClass: "status", status: 500, headers: {}, body: "no", durationMs: 3 };
export const hung: Outcome = { errorClass: "timeout", status: null, headers: null, body: null, durationMs: 10_000 };

/** Promises that resolve when a condition is true. Code that changes its state must call `check`. */
class Conditions {
  readonly #awaited = new Map<() => boolean, () => void>();

  when(condition: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.set(condition, resolve);
    this.check();
    return promise;
  }

  check(): void {
    for (const [condition, resolve] of this.#awaited) if (condition()) this.#awaited.delete(condition) && resolve();
  }
}

/** A simulated network: keeps the requests and returns the given outcomes. */
export function newNetwork(
  answer: (outgoing: Outgoing, count: number) => Outcome | Promise<Outcome> = () => succeeded,
) {
  const sent: Outgoing[] = [];
  const conditions = new Conditions();
  const send: Send = async (outgoing) => {
    sent.push(outgoing);
    conditions.check();
    return answer(outgoing, sent.length);
  };
  /** Resolves when `count` requests were sent. */
  const whenSent = (count: number) => conditions.when(() => sent.length >= count);
  return { sent, send, whenSent };
}

/** A network in which every request hangs until the test calls `answer`. */
export function hangingNetwork(outcome: Outcome = succeeded) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const network = newNetwork(async () => {
    await promise;
    return outcome;
  });
  return { ...network, answer: resolve };
}

/** Creates endpoints and pings each several times, in turn. @returns the endpoints */
export async function backlog(school: School, endpoints: number, each: number): Promise<EndpointId[]> {
  const ids: EndpointId[] = [];
  for (let index = 0; index < endpoints; index++) ids.push((await school.addEndpoint()).id);
  for (let round = 0; round < each; round++) for (const id of ids) await school.ping(id);
  return ids;
}

/** Returns the delivery ids of requests, in order. */
export const deliveryIds = (sent: readonly Outgoing[]) => sent.map(({ headers }) => headers["X-SVC-Webhook-Delivery"]);

export const nowOf = (clock: TestClock) => toInstant(clock.now());
