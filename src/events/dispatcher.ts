/**
 * Makes the deliveries: claims what is due, sends it, records how that went. It sleeps until something is due; a commit
 * that makes something due wakes it at once. One organization's write takes the results that ended meanwhile and claims
 * what may be sent next, all in one transaction, so that a backlog costs few of them.
 */
import { atMost } from "../core/async.ts";
import { type Clock, type Instant, seconds, shift, toInstant } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { WakeUp } from "../storage/tenant-store.ts";
import { Agenda } from "./agenda.ts";
import { Alarm } from "./alarm.ts";
import { createAttempts } from "./attempt.ts";
import { Lanes } from "./lanes.ts";
import { deliveryTimeout, type Send } from "./outbound/sender.ts";
import type { Claim } from "./outbox.ts";
import { Records } from "./records.ts";
import { Sending, type Tally } from "./sending.ts";
import { type Caps, defaultCaps } from "./shares.ts";
import { Work } from "./work.ts";

export interface DispatcherOptions {
  tenant: (orgId: OrgId) => Tenant;
  /** What storage noted as due at its last checkpoints, and what may be due since. */
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
  /** Milliseconds, from any beginning: how long attempts take. */
  stopwatch?: () => number;
}

interface DispatcherLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

/** What a sweep found. */
export interface Swept {
  /** Organizations with something due that nothing was working on. */
  schools: number;
  /** The attempts made, when the sweep waited for them: without a server, nothing makes them later. */
  attempts?: Tally;
}

export interface Dispatcher {
  /**
   * Something is due now: storage's `onDue`.
   *
   * @param changed what was claimed for this endpoint and not begun is given back, and claimed afresh or cancelled
   */
  wake(orgId: OrgId, changed?: EndpointId): void;
  /** Begins, with what is due since before. */
  start(): Promise<void>;
  /** Claims and begins nothing any more; waits for what is under way. What does not end in time is left to its lease. */
  stop(deadlineMs: number): Promise<void>;
  /**
   * Looks for what is due and nobody was told of: the job `webhook-outbox`.
   *
   * @returns how many organizations have something due that was not being looked after
   */
  sweep(): Promise<number>;
  /**
   * Without `start`, for commands and tests: sends all that is due by now; ends when all of it is recorded.
   *
   * @returns the attempts made meanwhile
   */
  settle(): Promise<Tally>;
  stats(): DispatcherStats;
  /** How attempts have ended since the start, and how many did so. */
  outcomes(): ReadonlyMap<string, number>;
  /** Organizations being worked for, and then those in which deliveries are known to become due; so many at most. */
  known(most: number): OrgId[];
}

export interface DispatcherStats {
  inFlight: number;
  /** Of those in flight, the ones that take long. */
  slow: number;
  /** Claimed and waiting for a slot. */
  waiting: number;
  /** Organizations being worked for. */
  active: number;
  /** Organizations in which deliveries are known to become due later. */
  scheduled: number;
}

/** Organizations that are looked into at the same time. */
const mostLooks = 16;
/** A tenant that could not be read or written is looked into again after this long, or when it is written to. */
const patience = seconds(30);

export const createDispatcher = (options: DispatcherOptions): Dispatcher => new WebhookDispatcher(options);

class WebhookDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #lanes: Lanes;
  readonly #records: Records;
  readonly #sending: Sending;
  readonly #agenda = new Agenda();
  readonly #works = new Map<OrgId, Work>();
  readonly #alarm: Alarm;
  #state: "idle" | "settling" | "running" | "stopping" | "stopped" = "idle";
  #looks = 0;
  #whenQuiet: (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    const { clock, log, timeout = deliveryTimeout, lease = 2 * timeout + seconds(10), alone = true } = options;
    if (lease <= timeout) throw new Error("A lease must be longer than an attempt can take.");
    this.#options = options;
    this.#lanes = new Lanes({ ...defaultCaps, ...options.caps }, options.stopwatch);
    this.#records = new Records({ clock, log, lease, alone });
    this.#sending = new Sending({
      clock,
      lanes: this.#lanes,
      makeAttempt: createAttempts(options),
      timeout,
      mayBegin: () => this.#begins,
      workOf: (orgId) => this.#workOf(orgId),
      onEnd: (work) => {
        this.#turn(work);
        this.#feedStarved();
      },
      onUnusable: (orgId, err) => this.#waitFor(orgId, err),
    });
    this.#alarm = new Alarm(clock, () => this.#advance());
  }

  wake(orgId: OrgId, changed?: EndpointId): void {
    const work = this.#works.get(orgId);
    if (changed !== undefined && work !== undefined) {
      work.givenBack(this.#lanes.recall(changed));
      work.changed.add(changed);
      this.#turn(work);
    }
    this.#agenda.expect(orgId, this.#now());
    this.#advance();
  }

  async start(): Promise<void> {
    this.#state = "running";
    for (const { orgId, at } of await this.#options.wakeUps()) this.#agenda.add(orgId, at);
    this.#advance();
  }

  async sweep(): Promise<number> {
    const now = this.#now();
    let found = 0;
    for (const { orgId, at } of await this.#options.wakeUps()) {
      if (this.#isStopped) break;
      if (at > now) this.#agenda.add(orgId, at);
      else if (!this.#isLookedAfter(orgId) && (await this.#isDueIn(orgId))) {
        found += 1;
        this.wake(orgId);
      }
    }
    this.#advance();
    return found;
  }

  async settle(): Promise<Tally> {
    const { succeeded, failed } = this.#sending.tally;
    await this.#sendAllDue();
    const { tally } = this.#sending;
    return { succeeded: tally.succeeded - succeeded, failed: tally.failed - failed };
  }

  async #sendAllDue(): Promise<void> {
    if (this.#isStopped) return;
    const before = this.#state;
    this.#state = "settling";
    do {
      this.#advance();
      await this.#quiet();
    } while (this.#begins && (this.#agenda.next ?? "~") <= this.#now());
    if (!this.#begins) return; // stopped meanwhile
    this.#state = before;
    this.#advance();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#state = "stopping";
    this.#alarm.clear();
    this.#sending.stop();
    this.#agenda.clear();
    for (const { orgId, delivery } of this.#lanes.clear()) this.#workOf(orgId).givenBack([delivery]);
    for (const work of this.#works.values()) this.#turn(work);
    await atMost(deadlineMs, this.#quiet());
    this.#state = "stopped";
  }

  stats(): DispatcherStats {
    const { inFlight, slow, waiting } = this.#lanes;
    return { inFlight, slow, waiting, active: this.#works.size, scheduled: this.#agenda.expected };
  }

  outcomes(): ReadonlyMap<string, number> {
    return this.#sending.outcomes;
  }

  known(most: number): OrgId[] {
    const known = new Set<OrgId>();
    for (const organizations of [this.#works.keys(), this.#agenda.organizations()])
      for (const orgId of organizations) {
        if (known.size >= most) return [...known];
        known.add(orgId);
      }
    return [...known];
  }

  #now(): Instant {
    return toInstant(this.#options.clock.now());
  }

  get #begins(): boolean {
    return this.#state === "running" || this.#state === "settling";
  }

  get #isStopped(): boolean {
    return this.#state === "stopping" || this.#state === "stopped";
  }

  /** Whether somebody is at it, or will be in a moment. */
  #isLookedAfter(orgId: OrgId): boolean {
    return this.#works.has(orgId) || this.#agenda.has(orgId, shift(this.#now(), patience));
  }

  /** Looks into the organizations whose time has come, and sets the alarm for the next. */
  #advance(): void {
    if (!this.#begins) return;
    this.#agenda.advance(this.#now());
    while (this.#looks < mostLooks && !this.#lanes.isFull) {
      const orgId = this.#agenda.take();
      if (orgId === undefined) break;
      const work = this.#workOf(orgId);
      work.look();
      this.#turn(work);
    }
    if (this.#state === "running") this.#alarm.set(this.#agenda.next);
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
    void this.#write(work);
  }

  async #write(work: Work): Promise<void> {
    try {
      while (work.hasMore && (await this.#writeBatch(work))) {
        this.#sending.next();
        await work.gather(!this.#begins);
      }
    } finally {
      // Nothing is awaited between the last look at `hasMore` and this: what comes later begins a turn of its own.
      work.writing = false;
      this.#looks -= 1;
      this.#tidy(work);
      this.#advance();
    }
  }

  /** @returns whether it could be written */
  async #writeBatch(work: Work): Promise<boolean> {
    const batch = work.takeBatch();
    const room = this.#lanes.reserve(work.tenant.id);
    work.changed.clear();
    const mayClaim = () => this.#begins && !work.isPutOff;
    try {
      const isEmpty = batch.ended.length === 0 && batch.unused.length === 0;
      if (isEmpty && !(await this.#isDue(work.tenant))) return true;
      const claim = await this.#records.write(work.tenant, batch, { room, mayClaim });
      if (claim !== undefined) this.#take(work, claim);
      return true;
    } catch (err) {
      work.putBack(batch);
      this.#waitFor(work.tenant.id, err);
      return false;
    } finally {
      room.drop();
    }
  }

  async #isDue(tenant: Tenant): Promise<boolean> {
    const due = await this.#records.look(tenant);
    if (due !== null && due !== "now") this.#agenda.expect(tenant.id, due);
    return due === "now";
  }

  async #isDueIn(orgId: OrgId): Promise<boolean> {
    try {
      return await this.#isDue(this.#options.tenant(orgId));
    } catch (err) {
      this.#waitFor(orgId, err);
      return false;
    }
  }

  #waitFor(orgId: OrgId, err: unknown): void {
    this.#options.log.warn({ organization_id: orgId, err }, "Deliveries wait: the records can't be used.");
    this.#agenda.expect(orgId, shift(this.#now(), patience));
  }

  #take(work: Work, { claimed, left, next }: Claim): void {
    const { id } = work.tenant;
    work.claimed(claimed.length);
    if (!this.#begins) {
      work.givenBack(claimed); // a stop came while the claim was committed
      return;
    }
    // Of an endpoint that was changed right after this claim, nothing is begun either.
    const [current, outdated] = partition(claimed, ({ endpointId }) => !work.changed.has(endpointId));
    this.#lanes.add(id, current);
    work.givenBack(outdated);
    if (next !== null) this.#agenda.expect(id, next);
    // With something open it is looked into again anyway, as soon as that has ended.
    if (left && work.open === 0) this.#agenda.starve(id);
  }

  #feedStarved(): void {
    if (this.#agenda.feed()) this.#advance();
  }

  /** Forgets an organization that there is nothing to do for. */
  #tidy(work: Work): void {
    if (!work.hasMore && work.open === 0) this.#works.delete(work.tenant.id);
    if (!this.#isQuiet()) return;
    if (this.#begins && this.#agenda.feed()) this.#advance();
    else for (const tell of this.#whenQuiet.splice(0)) tell();
  }

  /** Nothing under way and nothing to begin with; results that could not be recorded wait for their next try. */
  #isQuiet(): boolean {
    if (this.#agenda.hasReady && this.#begins) return false;
    for (const { isBusy } of this.#works.values()) if (isBusy) return false;
    return true;
  }

  #quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }
}

const partition = <T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] => [
  all.filter(belongs),
  all.filter((one) => !belongs(one)),
];
