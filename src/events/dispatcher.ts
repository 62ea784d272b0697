/**
 * Makes the deliveries: claims what is due, sends it, records how that went. It sleeps until something is due; a commit
 * that makes something due wakes it at once. One organization's write takes the results that ended meanwhile and claims
 * what may be sent next, all in one transaction, so that a backlog costs few of them.
 */
import { type Clock, type Instant, seconds, shift, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { WakeUp } from "../storage/tenant-store.ts";
import { Alarm } from "./alarm.ts";
import { createAttempts, type MakeAttempt } from "./attempt.ts";
import { type Caps, defaultCaps, Lanes, type Slot } from "./lanes.ts";
import { deliveryTimeout, type Send } from "./outbound/sender.ts";
import type { Claim } from "./outbox.ts";
import { Records } from "./records.ts";
import { WakeUps } from "./wake-ups.ts";
import { Work } from "./work.ts";

export interface DispatcherOptions {
  tenant: (orgId: OrgId) => Tenant;
  /** What storage noted as due at its last checkpoints. */
  wakeUps: () => Promise<readonly WakeUp[]>;
  clock: Clock;
  send: Send;
  log: DispatcherLog;
  caps?: Partial<Caps>;
  /** How long a claim lasts, in milliseconds; longer than an attempt can take. */
  lease?: number;
  /** The longest an attempt can take: one whose lease has less left is not begun. */
  timeout?: number;
  /** Whether no other process works on these databases, as with files: then other boots' claims are void. */
  alone?: boolean;
}

interface DispatcherLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

export interface Dispatcher {
  /** Something is due, at once or at `at`: storage's `onDue`. */
  wake(orgId: OrgId, at?: Instant): void;
  /** Begins, with what is due since before. */
  start(): Promise<void>;
  /** Claims and begins nothing any more; waits for what is under way. What does not end in time is left to its lease. */
  stop(deadlineMs: number): Promise<void>;
  /** Asks storage again what is due: the job `webhook-outbox`. @returns how many organizations had something due */
  sweep(): Promise<number>;
  /** For tests that move the clock: sends all that is due by now, without `start`; ends when all of it is recorded. */
  settle(): Promise<void>;
  stats(): DispatcherStats;
}

export interface DispatcherStats {
  inFlight: number;
  /** Of those in flight, the ones that take long. */
  slow: number;
  /** Claimed and waiting for a slot. */
  waiting: number;
  /** Organizations being worked for. */
  active: number;
  /** Organizations that something becomes due for. */
  scheduled: number;
}

/** Organizations that are looked into at the same time. */
const mostLooks = 16;
/** A tenant that could not be read or written is left alone for this long. */
const patience = seconds(30);
const blockedCheck = 250;

export const createDispatcher = (options: DispatcherOptions): Dispatcher => new WebhookDispatcher(options);

class WebhookDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #timeout: number;
  readonly #lanes: Lanes;
  readonly #records: Records;
  readonly #makeAttempt: MakeAttempt;
  readonly #scheduled = new WakeUps();
  readonly #works = new Map<OrgId, Work>();
  /** To be looked into as soon as there is room. */
  readonly #ready = new Set<OrgId>();
  /** Looked into, but there was no room for what they have. */
  readonly #starved = new Set<OrgId>();
  readonly #alarm: Alarm;
  #state: "idle" | "settling" | "running" | "stopping" | "stopped" = "idle";
  #looks = 0;
  #blocked: ReturnType<typeof setTimeout> | undefined;
  #whenQuiet: (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    const { clock, log, timeout = deliveryTimeout, lease = 2 * timeout + seconds(10), alone = true } = options;
    this.#options = options;
    this.#timeout = timeout;
    this.#lanes = new Lanes({ ...defaultCaps, ...options.caps });
    this.#records = new Records({ clock, log, lease, alone, room: (endpointId) => this.#lanes.room(endpointId) });
    this.#makeAttempt = createAttempts(options);
    this.#alarm = new Alarm(clock, () => this.#advance());
  }

  wake(orgId: OrgId, at: Instant = this.#now()): void {
    this.#scheduled.add(orgId, at);
    this.#advance();
  }

  async start(): Promise<void> {
    this.#state = "running";
    await this.sweep();
  }

  async sweep(): Promise<number> {
    const now = this.#now();
    const known = await this.#options.wakeUps();
    for (const { orgId, at } of known) this.#scheduled.add(orgId, at);
    this.#advance();
    return known.filter(({ at }) => at <= now).length;
  }

  async settle(): Promise<void> {
    const before = this.#state;
    this.#state = "settling";
    do {
      this.#advance();
      await this.#quiet();
    } while ((this.#scheduled.first() ?? "~") <= this.#now());
    this.#state = before;
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#state = "stopping";
    this.#alarm.clear();
    clearTimeout(this.#blocked);
    this.#ready.clear();
    this.#starved.clear();
    for (const { orgId, delivery } of this.#lanes.clear()) this.#workOf(orgId).givenBack([delivery]);
    for (const work of this.#works.values()) this.#turn(work);
    const { promise, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, deadlineMs);
    await Promise.race([this.#quiet(), promise]);
    clearTimeout(deadline);
    this.#state = "stopped";
  }

  stats(): DispatcherStats {
    const { inFlight, slow, waiting } = this.#lanes;
    return { inFlight, slow, waiting, active: this.#works.size, scheduled: this.#scheduled.size };
  }

  #now(): Instant {
    return toInstant(this.#options.clock.now());
  }

  get #begins(): boolean {
    return this.#state === "running" || this.#state === "settling";
  }

  /** Looks into the organizations whose time has come, and sets the alarm for the next. */
  #advance(): void {
    if (!this.#begins) return;
    for (const orgId of this.#scheduled.take(this.#now())) this.#ready.add(orgId);
    for (const orgId of this.#ready) {
      if (this.#looks >= mostLooks || this.#lanes.isFull) break;
      this.#ready.delete(orgId);
      const work = this.#workOf(orgId);
      work.look();
      this.#turn(work);
    }
    if (this.#state === "running") this.#alarm.set(this.#scheduled.first());
  }

  #workOf(orgId: OrgId): Work {
    const known = this.#works.get(orgId);
    if (known !== undefined) return known;
    const work = new Work(this.#options.tenant(orgId));
    this.#works.set(orgId, work);
    return work;
  }

  /** Does what there is to do in an organization's database, once at a time; what comes meanwhile goes with the next. */
  #turn(work: Work): void {
    if (work.writing || this.#state === "stopped") {
      if (work.isPressing || !this.#begins) work.resume();
      return;
    }
    work.writing = true;
    this.#looks += 1;
    void this.#write(work).finally(() => {
      work.writing = false;
      this.#looks -= 1;
      this.#tidy(work);
      this.#advance();
    });
  }

  async #write(work: Work): Promise<void> {
    while (work.hasMore) {
      const batch = work.takeBatch();
      try {
        const isEmpty = batch.ended.length === 0 && batch.unused.length === 0;
        if (!isEmpty || (await this.#isDue(work))) {
          const claim = await this.#records.write(work.tenant, batch, () => this.#begins);
          if (claim !== undefined) this.#take(work, claim);
        }
      } catch (err) {
        const { id } = work.tenant;
        this.#options.log.warn({ organization_id: id, err }, "Deliveries wait: the records can't be used.");
        work.putBack(batch);
        this.#scheduled.add(id, shift(this.#now(), patience));
        return;
      }
      this.#sendNext();
      await work.gather(!this.#begins);
    }
  }

  async #isDue({ tenant }: Work): Promise<boolean> {
    const due = await this.#records.look(tenant);
    if (due !== null && due !== "now") this.#scheduled.add(tenant.id, due);
    return due === "now";
  }

  #take(work: Work, { claimed, left, next }: Claim): void {
    const { id } = work.tenant;
    work.claimed(claimed.length);
    this.#lanes.add(id, claimed);
    if (next !== null) this.#scheduled.add(id, next);
    // With something open it is looked into again anyway, as soon as that has ended.
    if (left && work.open === 0) this.#starved.add(id);
  }

  #sendNext(): void {
    if (!this.#begins) return;
    for (let slot = this.#lanes.next(); slot !== undefined; slot = this.#lanes.next()) this.#begin(slot);
    if (this.#lanes.isBlocked) this.#unblockLater();
  }

  /** Attempts that have become slow make room for others, though none ends. */
  #unblockLater(): void {
    this.#blocked ??= setTimeout(() => {
      this.#blocked = undefined;
      this.#lanes.setSlowAside();
      this.#sendNext();
    }, blockedCheck);
  }

  #begin(slot: Slot): void {
    const { orgId, delivery } = slot;
    const work = this.#workOf(orgId);
    work.begun();
    if (delivery.leaseUntil < shift(this.#now(), this.#timeout)) {
      this.#lanes.end(slot);
      work.skipped(delivery);
      this.#turn(work);
      return;
    }
    void this.#makeAttempt(work.tenant, delivery).then((attempt) => {
      work.ended(attempt);
      work.givenBack(this.#lanes.end(slot, attempt.outcome.errorClass === "timeout"));
      this.#turn(work);
      this.#sendNext();
      this.#feedStarved();
    });
  }

  #feedStarved(): void {
    const [orgId] = this.#starved;
    if (orgId === undefined) return;
    this.#starved.delete(orgId);
    this.#ready.add(orgId);
    this.#advance();
  }

  /** Forgets an organization that there is nothing to do for. */
  #tidy(work: Work): void {
    if (!work.hasMore && work.open === 0) this.#works.delete(work.tenant.id);
    if (!this.#isQuiet()) return;
    if (this.#starved.size > 0) this.#feedStarved();
    else for (const tell of this.#whenQuiet.splice(0)) tell();
  }

  /** Nothing under way and nothing to begin with; results that could not be recorded wait for their next try. */
  #isQuiet(): boolean {
    if (this.#ready.size > 0 && this.#begins) return false;
    for (const { isBusy } of this.#works.values()) if (isBusy) return false;
    return true;
  }

  #quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }
}
