/**
 * Makes the deliveries: claims what is due, sends it, records how that went. It sleeps until something is due; a commit
 * that makes something due wakes it at once. One organization's write takes the results that ended meanwhile and claims
 * what may be sent next, all in one transaction, so that a backlog costs few of them.
 */
import { LRUCache } from "lru-cache";
import { type Clock, type Instant, seconds, shift, toInstant } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import type { OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { WakeUp } from "../storage/tenant-store.ts";
import { type Caps, defaultCaps, Lanes, type Slot } from "./lanes.ts";
import { deliveryTimeout, type Outcome, type Send } from "./outbound/sender.ts";
import { type Claim, type Claimed, claim, outlook, release } from "./outbox.ts";
import { type Attempt, recordAttempts } from "./record-attempts.ts";
import { deliveryHeaders, envelope, openSecret, type SigningSecrets } from "./signing.ts";
import { WakeUps } from "./wake-ups.ts";

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

/** What there is to do for one organization. */
interface Work {
  readonly orgId: OrgId;
  readonly tenant: Tenant;
  ended: Attempt[];
  /** Claimed, but not begun. */
  unused: Claimed[];
  /** Deliveries waiting for a slot, and those under way besides. */
  waiting: number;
  open: number;
  /** Whether to look for what is due. */
  look: boolean;
  writing: boolean;
  /** Ends the pause between two transactions; there while there is one. */
  resume: (() => void) | undefined;
}

/** Organizations that are looked into at the same time. */
const mostLooks = 16;
/** A tenant that could not be read or written is left alone for this long. */
const patience = seconds(30);
const longestTimer = 2 ** 31 - 1;
const blockedCheck = 250;
/** While there is more to send, results wait this long, or until there are so many, to be written together. */
const gatherFor = 10;
const gathered = 256;
const secretsKept = 1000;

export const createDispatcher = (options: DispatcherOptions): Dispatcher => new WebhookDispatcher(options);

class WebhookDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #boot = randomBytes(8).toString("hex");
  readonly #lease: number;
  readonly #timeout: number;
  readonly #lanes: Lanes;
  readonly #scheduled = new WakeUps();
  readonly #works = new Map<OrgId, Work>();
  /** To be looked into as soon as there is room. */
  readonly #ready = new Set<OrgId>();
  /** Looked into, but there was no room for what they have. */
  readonly #starved = new Set<OrgId>();
  /** Organizations in which this boot has taken over what others left. */
  readonly #takenOver = new Set<OrgId>();
  readonly #secrets = new LRUCache<string, string>({ max: secretsKept });
  #state: "idle" | "settling" | "running" | "stopping" | "stopped" = "idle";
  #looks = 0;
  #alarm: { at: Instant; timer: ReturnType<typeof setTimeout> } | undefined;
  #blocked: ReturnType<typeof setTimeout> | undefined;
  #whenQuiet: (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#timeout = options.timeout ?? deliveryTimeout;
    this.#lease = options.lease ?? 2 * this.#timeout + seconds(10);
    this.#lanes = new Lanes({ ...defaultCaps, ...options.caps });
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
    clearTimeout(this.#alarm?.timer);
    clearTimeout(this.#blocked);
    this.#ready.clear();
    this.#starved.clear();
    for (const { orgId, delivery } of this.#lanes.clear()) {
      const work = this.#workOf(orgId);
      work.open -= 1;
      work.waiting -= 1;
      work.unused.push(delivery);
    }
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
      work.look = true;
      this.#turn(work);
    }
    this.#setAlarm();
  }

  #setAlarm(): void {
    const at = this.#scheduled.first();
    if (this.#state !== "running" || at === this.#alarm?.at) return;
    clearTimeout(this.#alarm?.timer);
    this.#alarm = undefined;
    if (at === undefined) return;
    const wait = Date.parse(at) - this.#options.clock.now().getTime();
    const ring = () => {
      this.#alarm = undefined;
      this.#advance();
    };
    this.#alarm = { at, timer: setTimeout(ring, Math.min(Math.max(wait, 0), longestTimer)) };
  }

  #workOf(orgId: OrgId): Work {
    const known = this.#works.get(orgId);
    if (known !== undefined) return known;
    const tenant = this.#options.tenant(orgId);
    const work: Work = {
      orgId,
      tenant,
      ended: [],
      unused: [],
      waiting: 0,
      open: 0,
      look: false,
      writing: false,
      resume: undefined,
    };
    this.#works.set(orgId, work);
    return work;
  }

  /** Does what there is to do in an organization's database, once at a time; what comes meanwhile goes with the next. */
  #turn(work: Work): void {
    if (work.writing || this.#state === "stopped") {
      if (this.#isPressing(work)) work.resume?.();
      return;
    }
    work.writing = true;
    this.#looks += 1;
    void this.#work(work).finally(() => {
      work.writing = false;
      this.#looks -= 1;
      this.#tidy(work);
      this.#advance();
    });
  }

  async #work(work: Work): Promise<void> {
    try {
      while (work.look || work.ended.length > 0 || work.unused.length > 0) {
        await this.#step(work);
        this.#sendNext();
        await this.#gather(work);
      }
    } catch (err) {
      this.#options.log.warn({ organization_id: work.orgId, err }, "Deliveries wait: the records can't be used.");
      work.look = false;
      this.#scheduled.add(work.orgId, shift(this.#now(), patience));
    }
  }

  /**
   * Lets results come together, and requests be served. A transaction is synced to disk, and nothing is sent meanwhile:
   * with a backlog, a few large ones take far less time than many small ones.
   */
  async #gather(work: Work): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isPressing(work)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, gatherFor);
    work.resume = resolve;
    await promise;
    clearTimeout(timer);
    work.resume = undefined;
  }

  /** Whether an organization's next transaction should not wait for more results. */
  #isPressing({ look, unused, ended, waiting }: Work): boolean {
    return look || unused.length > 0 || ended.length >= gathered || waiting === 0 || !this.#begins;
  }

  async #step(work: Work): Promise<void> {
    const ended = work.ended.splice(0);
    const unused = work.unused.splice(0);
    const look = work.look;
    work.look = false;
    if (ended.length === 0 && unused.length === 0 && !(await this.#hasWork(work))) return;
    try {
      const result = await work.tenant.write(async (tx) => {
        if (unused.length > 0) await release(tx, unused);
        const counted = ended.length > 0 ? await recordAttempts(tx, ended) : undefined;
        return { counted, claim: this.#begins ? await this.#claim(tx, work) : undefined };
      });
      if (ended.length > (result.counted?.size ?? 0)) {
        const lost = ended.flatMap(({ delivery }) => (result.counted?.has(delivery.id) ? [] : [delivery.id]));
        this.#options.log.warn(
          { organization_id: work.orgId, deliveries: lost },
          "Deliveries were taken over before they were recorded; receivers may see them twice.",
        );
      }
      if (result.claim) this.#take(work, result.claim);
    } catch (error) {
      work.ended.unshift(...ended);
      work.unused.unshift(...unused);
      work.look = look;
      throw error;
    }
  }

  #claim(tx: Parameters<typeof claim>[0], { orgId }: Work): Promise<Claim> {
    return claim(tx, {
      room: (endpointId) => this.#lanes.room(endpointId),
      lease: this.#lease,
      token: `${this.#boot}.${randomBytes(8).toString("hex")}`,
      takeOver: this.#mayTakeOver(orgId),
    });
  }

  #mayTakeOver(orgId: OrgId): boolean {
    return this.#options.alone !== false && !this.#takenOver.has(orgId);
  }

  /** Looks without writing, which would cost a sync and a checkpoint. */
  async #hasWork({ orgId, tenant }: Work): Promise<boolean> {
    const { pending, delivering } = await tenant.read(outlook);
    const now = this.#now();
    if (pending !== null && pending <= now) return true;
    if (delivering !== null && (this.#mayTakeOver(orgId) || delivering.leaseUntil <= now)) return true;
    this.#takenOver.add(orgId);
    if (pending !== null) this.#scheduled.add(orgId, pending);
    return false;
  }

  #take(work: Work, { claimed, left, next }: Claim): void {
    this.#takenOver.add(work.orgId);
    work.open += claimed.length;
    work.waiting += claimed.length;
    this.#lanes.add(work.orgId, claimed);
    if (next !== null) this.#scheduled.add(work.orgId, next);
    // With something open it is looked into again anyway, as soon as that has ended.
    if (left && work.open === 0) this.#starved.add(work.orgId);
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
    const work = this.#workOf(slot.orgId);
    work.waiting -= 1;
    if (slot.delivery.leaseUntil < shift(this.#now(), this.#timeout)) {
      this.#lanes.end(slot);
      work.open -= 1;
      work.unused.push(slot.delivery);
      this.#turn(work);
      return;
    }
    void this.#attempt(work, slot.delivery).then((attempt) => {
      const unused = this.#lanes.end(slot, attempt.outcome.errorClass === "timeout");
      work.open -= 1 + unused.length;
      work.waiting -= unused.length;
      work.unused.push(...unused);
      work.ended.push(attempt);
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

  async #attempt({ orgId, tenant }: Work, delivery: Claimed): Promise<Attempt> {
    const startedAt = this.#now();
    const outcome = await this.#send(tenant, delivery, startedAt).catch((err: unknown): Outcome => {
      this.#options.log.error({ organization_id: orgId, delivery_id: delivery.id, err }, "A delivery went wrong here.");
      return { ...unsent, errorClass: "connect" };
    });
    return { delivery, startedAt, endedAt: this.#now(), outcome };
  }

  async #send(tenant: Tenant, { id, event, endpoint }: Claimed, now: Instant): Promise<Outcome> {
    const secrets = await this.#open(tenant, endpoint).catch(() => undefined);
    if (secrets === undefined) return { ...unsent, errorClass: "secret" };
    const body = envelope(event);
    return this.#options.send({
      url: endpoint.url,
      headers: deliveryHeaders(body, { deliveryId: id, secrets, now }),
      body,
    });
  }

  async #open(tenant: Tenant, endpoint: Claimed["endpoint"]): Promise<SigningSecrets> {
    const { id, primarySecret, secondarySecret, secondaryUntil } = endpoint;
    const opened = async (sealed: string): Promise<string> => {
      const known = this.#secrets.get(sealed);
      if (known !== undefined) return known;
      const secret = openSecret(await tenant.dataKey(), id, sealed);
      this.#secrets.set(sealed, secret);
      return secret;
    };
    const primary = await opened(primarySecret);
    if (secondarySecret === null || secondaryUntil === null) return { primary };
    return { primary, secondary: { secret: await opened(secondarySecret), until: secondaryUntil } };
  }

  /** Forgets an organization that there is nothing to do for. */
  #tidy(work: Work): void {
    const isDone = !work.look && work.open === 0 && work.ended.length === 0 && work.unused.length === 0;
    if (isDone) this.#works.delete(work.orgId);
    if (!this.#isQuiet()) return;
    if (this.#starved.size > 0) this.#feedStarved();
    else for (const tell of this.#whenQuiet.splice(0)) tell();
  }

  /** Nothing under way and nothing to begin with; results that could not be recorded wait for their next try. */
  #isQuiet(): boolean {
    if (this.#ready.size > 0 && this.#begins) return false;
    for (const { open, writing, look } of this.#works.values()) if (open > 0 || writing || look) return false;
    return true;
  }

  #quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }
}

const unsent = { status: null, headers: null, body: null, durationMs: 0 };
