/**
 * Sends webhook deliveries: claims those that are due, makes the attempts, and records the results. It sleeps until the
 * next delivery is due; a commit that makes a delivery due wakes it at once. One transaction of an organization records
 * the results that came in and claims the next deliveries, so a backlog takes few transactions.
 */
import { atMost } from "../core/async.ts";
import { type Clock, type Instant, seconds, shift, toInstant } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Spans } from "../core/trace.ts";
import type { Tenant } from "../storage/store.ts";
import type { WakeUp } from "../storage/tenant-store.ts";
import { createMakeAttempt } from "./attempt.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { type AttemptCounts, AttemptRunner } from "./attempt-runner.ts";
import { EndpointQueues } from "./endpoint-queues.ts";
import { OrganizationState } from "./organization-state.ts";
import { deliveryTimeout, type Send } from "./outbound/sender.ts";
import { type Claim, presentEndpoint } from "./outbox.ts";
import { type Caps, defaultCaps } from "./quotas.ts";
import { Timer } from "./timer.ts";
import { WakeUpSchedule } from "./wake-up-schedule.ts";

export interface DispatcherOptions {
  tenant: (orgId: OrgId) => Tenant;
  /** The wake-ups that storage noted at its last checkpoints, and organizations written to since. */
  wakeUps: () => Promise<readonly WakeUp[]>;
  clock: Clock;
  send: Send;
  /** Given if the operator has spans exported. */
  spans?: Spans | undefined;
  log: DispatcherLog;
  caps?: Partial<Caps>;
  /** The duration of a claim, in milliseconds. Must be longer than `timeout`. */
  lease?: number;
  /** The longest duration of an attempt, in milliseconds. An attempt whose lease ends sooner is not started. */
  timeout?: number;
  /**
   * Whether no other process uses these databases, as with files: then the claims of earlier boots are void, and an endpoint is that of
   * the claim until this process changes it.
   */
  exclusive?: boolean;
  /** Milliseconds since any fixed point, to measure attempts. */
  stopwatch?: () => number;
}

interface DispatcherLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

/** What a sweep found. */
export interface SweepResult {
  /** Organizations with due deliveries that were not scheduled. */
  schools: number;
  /** The attempts made, if the sweep waited for them. Without a server, no other code makes them. */
  attempts?: AttemptCounts;
}

export interface Dispatcher {
  /**
   * Wakes the dispatcher for an organization in which a delivery is due now: storage's `onDue`.
   *
   * @param changed an endpoint that was changed. Its claimed deliveries that have not started are released, then claimed
   *   again or cancelled.
   */
  wake(orgId: OrgId, changed?: EndpointId): void;
  /** Starts to send, deliveries from before the start included. */
  start(): Promise<void>;
  /** Stops claims and new attempts and waits for attempts in flight. Those that exceed the deadline keep their lease. */
  stop(deadlineMs: number): Promise<void>;
  /**
   * Finds due deliveries that the dispatcher was not woken for: the job `webhook-outbox`.
   *
   * @returns how many organizations have such deliveries
   */
  sweep(): Promise<number>;
  /**
   * Sends all deliveries that are due and waits until the results are recorded. For commands and tests, without `start`.
   *
   * @returns the attempts made meanwhile
   */
  sendDue(): Promise<AttemptCounts>;
  stats(): DispatcherStats;
  /** Attempts that ended since the process started, by outcome. */
  outcomes(): ReadonlyMap<string, number>;
  /** Returns active organizations, then those with scheduled deliveries. */
  organizations(limit: number): OrgId[];
}

export interface DispatcherStats {
  /** Attempts in flight. */
  inFlight: number;
  /** Attempts in flight that take long. */
  slow: number;
  /** Claimed deliveries that wait for a slot. */
  waiting: number;
  /** Organizations with claimed deliveries or results to write. */
  active: number;
  /** Organizations with deliveries that are known to become due later. */
  scheduled: number;
}

/** Organizations that are read or written at the same time. */
const maxConcurrent = 16;
/** A tenant that can't be read or written is tried again after this time, or when it is woken. */
const retryDelay = seconds(30);

export const createDispatcher = (options: DispatcherOptions): Dispatcher => new WebhookDispatcher(options);

class WebhookDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queues: EndpointQueues;
  readonly #recorder: AttemptRecorder;
  readonly #runner: AttemptRunner;
  readonly #schedule = new WakeUpSchedule();
  readonly #states = new Map<OrgId, OrganizationState>();
  readonly #timer: Timer;
  #phase: "idle" | "sending-due" | "running" | "stopping" | "stopped" = "idle";
  /** Organizations that are being read or written. */
  #concurrent = 0;
  #whenDrained: (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    const { clock, log, timeout = deliveryTimeout, lease = 2 * timeout + seconds(10), exclusive = true } = options;
    if (lease <= timeout) throw new Error("The dispatcher's lease must be longer than its timeout.");
    this.#options = options;
    this.#queues = new EndpointQueues({ ...defaultCaps, ...options.caps }, options.stopwatch);
    this.#recorder = new AttemptRecorder({ clock, log, lease, exclusive });
    this.#runner = new AttemptRunner({
      clock,
      queues: this.#queues,
      makeAttempt: createMakeAttempt(options),
      presentEndpoint: exclusive ? undefined : (tenant, id) => tenant.read((reader) => presentEndpoint(reader, id)),
      timeout,
      mayStart: () => this.#mayStart,
      stateOf: (orgId) => this.#stateOf(orgId),
      onEnd: (state) => {
        this.#write(state);
        this.#resumeDeferred();
      },
      onUnusable: (orgId, err) => this.#retryLater(orgId, err),
    });
    this.#timer = new Timer(clock, () => this.#advance());
  }

  wake(orgId: OrgId, changed?: EndpointId): void {
    const state = this.#states.get(orgId);
    if (changed !== undefined && state !== undefined) {
      state.onReleased(this.#queues.recall(changed));
      state.changed.add(changed);
      this.#write(state);
    }
    this.#schedule.addDeliveries(orgId, this.#now());
    this.#advance();
  }

  async start(): Promise<void> {
    this.#phase = "running";
    for (const { orgId, at } of await this.#options.wakeUps()) this.#schedule.add(orgId, at);
    this.#advance();
  }

  async sweep(): Promise<number> {
    const now = this.#now();
    let found = 0;
    for (const { orgId, at } of await this.#options.wakeUps()) {
      if (this.#isStopped) break;
      if (at > now) this.#schedule.add(orgId, at);
      else if (!this.#isHandled(orgId) && (await this.#hasDueDeliveries(orgId))) {
        found += 1;
        this.wake(orgId);
      }
    }
    this.#advance();
    return found;
  }

  async sendDue(): Promise<AttemptCounts> {
    const { succeeded, failed } = this.#runner.counts;
    await this.#sendAndDrain();
    const { counts } = this.#runner;
    return { succeeded: counts.succeeded - succeeded, failed: counts.failed - failed };
  }

  async #sendAndDrain(): Promise<void> {
    if (this.#isStopped) return;
    const before = this.#phase;
    this.#phase = "sending-due";
    do {
      this.#advance();
      await this.#drained();
    } while (this.#mayStart && (this.#schedule.next ?? "~") <= this.#now());
    if (!this.#mayStart) return; // stopped meanwhile
    this.#phase = before;
    this.#advance();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#phase = "stopping";
    this.#timer.clear();
    this.#runner.stop();
    this.#schedule.clear();
    for (const { orgId, delivery } of this.#queues.clear()) this.#stateOf(orgId).onReleased([delivery]);
    for (const state of this.#states.values()) this.#write(state);
    await atMost(deadlineMs, this.#drained());
    this.#phase = "stopped";
  }

  stats(): DispatcherStats {
    const { inFlight, slow, waiting } = this.#queues;
    return { inFlight, slow, waiting, active: this.#states.size, scheduled: this.#schedule.withDeliveries };
  }

  outcomes(): ReadonlyMap<string, number> {
    return this.#runner.outcomes;
  }

  organizations(limit: number): OrgId[] {
    const found = new Set<OrgId>();
    for (const organizations of [this.#states.keys(), this.#schedule.organizations()])
      for (const orgId of organizations) {
        if (found.size >= limit) return [...found];
        found.add(orgId);
      }
    return [...found];
  }

  #now(): Instant {
    return toInstant(this.#options.clock.now());
  }

  /** Whether deliveries may be claimed and attempts may start. */
  get #mayStart(): boolean {
    return this.#phase === "running" || this.#phase === "sending-due";
  }

  get #isStopped(): boolean {
    return this.#phase === "stopping" || this.#phase === "stopped";
  }

  /** Returns whether an organization is active or is going to be checked soon. */
  #isHandled(orgId: OrgId): boolean {
    return this.#states.has(orgId) || this.#schedule.has(orgId, shift(this.#now(), retryDelay));
  }

  /** Checks the organizations that are due, and sets the timer for the next. */
  #advance(): void {
    if (!this.#mayStart) return;
    this.#schedule.advance(this.#now());
    while (this.#concurrent < maxConcurrent && !this.#queues.isFull) {
      const orgId = this.#schedule.take();
      if (orgId === undefined) break;
      const state = this.#stateOf(orgId);
      state.requestCheck();
      this.#write(state);
    }
    if (this.#phase === "running") this.#timer.set(this.#schedule.next);
  }

  #stateOf(orgId: OrgId): OrganizationState {
    const existing = this.#states.get(orgId);
    if (existing !== undefined) return existing;
    const state = new OrganizationState(this.#options.tenant(orgId));
    this.#states.set(orgId, state);
    return state;
  }

  /** Starts to write for an organization. If that runs already, its next transaction includes what was added. */
  #write(state: OrganizationState): void {
    if (state.writing || this.#phase === "stopped") {
      if (state.isUrgent || !this.#mayStart) state.resume();
      return;
    }
    state.writing = true;
    this.#concurrent += 1;
    void this.#writeAll(state);
  }

  async #writeAll(state: OrganizationState): Promise<void> {
    try {
      while (state.hasMore && (await this.#writeBatch(state))) {
        this.#runner.startNext();
        await state.pause(!this.#mayStart);
      }
    } finally {
      // There is no await between the last read of `hasMore` and this. Later work calls `#write` again.
      state.writing = false;
      this.#concurrent -= 1;
      this.#afterWrite(state);
      this.#advance();
    }
  }

  /** @returns whether the organization's database could be used */
  async #writeBatch(state: OrganizationState): Promise<boolean> {
    const batch = state.takeBatch();
    const room = this.#queues.reserve(state.tenant.id);
    state.changed.clear();
    const mayClaim = () => this.#mayStart && !state.isSuspended;
    try {
      const isEmpty = batch.ended.length === 0 && batch.released.length === 0;
      if (isEmpty && !(await this.#isDue(state.tenant))) return true;
      const claim = await this.#recorder.write(state.tenant, batch, { room, mayClaim });
      if (claim !== undefined) this.#enqueue(state, claim);
      return true;
    } catch (err) {
      state.putBack(batch);
      this.#retryLater(state.tenant.id, err);
      return false;
    } finally {
      room.drop();
    }
  }

  async #isDue(tenant: Tenant): Promise<boolean> {
    const due = await this.#recorder.nextDue(tenant);
    if (due !== null && due !== "now") this.#schedule.addDeliveries(tenant.id, due);
    return due === "now";
  }

  async #hasDueDeliveries(orgId: OrgId): Promise<boolean> {
    try {
      return await this.#isDue(this.#options.tenant(orgId));
    } catch (err) {
      this.#retryLater(orgId, err);
      return false;
    }
  }

  #retryLater(orgId: OrgId, err: unknown): void {
    this.#options.log.warn(
      { organization_id: orgId, err },
      "Deliveries wait: the organization's records can't be used.",
    );
    this.#schedule.addDeliveries(orgId, shift(this.#now(), retryDelay));
  }

  #enqueue(state: OrganizationState, { claimed, hasMore, nextDueAt }: Claim): void {
    const { id } = state.tenant;
    state.onClaimed(claimed.length);
    if (!this.#mayStart) {
      state.onReleased(claimed); // stopped while the claim was committed
      return;
    }
    // Endpoints changed right after this claim: their deliveries were claimed with the old URL and secret.
    const [current, outdated] = partition(claimed, ({ endpointId }) => !state.changed.has(endpointId));
    this.#queues.add(id, current);
    state.onReleased(outdated);
    if (nextDueAt !== null) this.#schedule.addDeliveries(id, nextDueAt);
    // With deliveries outstanding, the write after the next result claims again.
    if (hasMore && state.outstanding === 0) this.#schedule.defer(id);
  }

  #resumeDeferred(): void {
    if (this.#schedule.resumeDeferred()) this.#advance();
  }

  /** Removes the state of an organization without work, and notifies those who wait for the dispatcher to drain. */
  #afterWrite(state: OrganizationState): void {
    if (!state.hasMore && state.outstanding === 0) this.#states.delete(state.tenant.id);
    if (!this.#isDrained()) return;
    if (this.#mayStart && this.#schedule.resumeDeferred()) this.#advance();
    else for (const resolve of this.#whenDrained.splice(0)) resolve();
  }

  /** Whether nothing is in flight and nothing may start. Results that could not be written wait for their retry. */
  #isDrained(): boolean {
    if (this.#schedule.hasReady && this.#mayStart) return false;
    for (const { isBusy } of this.#states.values()) if (isBusy) return false;
    return true;
  }

  #drained(): Promise<void> {
    if (this.#isDrained()) return Promise.resolve();
    return new Promise((resolve) => this.#whenDrained.push(resolve));
  }
}

const partition = <T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] => [
  items.filter(belongs),
  items.filter((item) => !belongs(item)),
];
