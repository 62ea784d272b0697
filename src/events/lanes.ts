/**
 * Whose turn it is. Each endpoint has a lane: deliveries that were claimed and wait, and attempts under way. Lanes take
 * turns within an organization, and organizations among each other. Attempts that take long are moved to slots of their
 * own, and so is the next attempt at an endpoint that was slow: endpoints that hang can't use up what the others need.
 */
import { performance } from "node:perf_hooks";
import { LRUCache } from "lru-cache";
import { seconds } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Claimed } from "./outbox.ts";

export interface Caps {
  /** Attempts under way in this process, slow ones not counted. */
  inFlight: number;
  /** Attempts under way at one endpoint. */
  perEndpoint: number;
  /** Attempts under way that take long, or go to endpoints that did. */
  slow: number;
  /** Deliveries claimed that wait for a slot. */
  waiting: number;
}

export const defaultCaps: Caps = { inFlight: 64, perEndpoint: 8, slow: 256, waiting: 512 };

/** An attempt that lasts longer than this is slow. */
const slowAfter = seconds(1);

/** Endpoints whose pace is remembered between deliveries. */
const remembered = 10_000;

/** The most that is claimed of an endpoint beyond what can be under way. */
const mostAhead = 256;

/** How an endpoint has been doing. Begins with one attempt at a time, doubles while it is quick, falls back when it hangs. */
interface Pace {
  window: number;
  slow: boolean;
  /** Attempts that ended since the last claim: about as many more, or twice that, will have ended by the next. */
  ended: number;
}

interface Lane {
  orgId: OrgId;
  endpointId: EndpointId;
  waiting: Claimed[];
  inFlight: number;
  pace: Pace;
}

/** An attempt under way, and the slots it is counted in. */
export interface Slot {
  readonly orgId: OrgId;
  readonly delivery: Claimed;
  readonly lane: Lane;
  readonly startedAt: number;
  slow: boolean;
}

/** Takes turns: organizations in the order they came, and in each its lanes. */
class Turns {
  readonly #orgs = new Map<OrgId, Set<Lane>>();

  get isEmpty(): boolean {
    return this.#orgs.size === 0;
  }

  add(lane: Lane): void {
    const lanes = this.#orgs.get(lane.orgId);
    if (lanes === undefined) this.#orgs.set(lane.orgId, new Set([lane]));
    else lanes.add(lane);
  }

  /** The lane whose turn it is; its organization goes to the end. */
  take(): Lane | undefined {
    for (const [orgId, lanes] of this.#orgs) {
      this.#orgs.delete(orgId);
      const [lane] = lanes;
      if (lane === undefined) continue;
      lanes.delete(lane);
      if (lanes.size > 0) this.#orgs.set(orgId, lanes);
      return lane;
    }
    return undefined;
  }
}

export class Lanes {
  readonly #caps: Caps;
  readonly #lanes = new Map<EndpointId, Lane>();
  readonly #paces = new LRUCache<EndpointId, Pace>({ max: remembered });
  readonly #quickTurns = new Turns();
  readonly #slowTurns = new Turns();
  /** Attempts under way, oldest first. */
  readonly #quick = new Set<Slot>();
  #slow = 0;
  #waiting = 0;

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  get inFlight(): number {
    return this.#quick.size + this.#slow;
  }

  get slow(): number {
    return this.#slow;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get isFull(): boolean {
    return this.#waiting >= this.#caps.waiting;
  }

  /** Whether quick lanes wait for a slot, which may be held by an attempt that has become slow. */
  get isBlocked(): boolean {
    return !this.#quickTurns.isEmpty;
  }

  /** How many more of an endpoint's deliveries are worth claiming now. */
  room(endpointId: EndpointId): number {
    const lane = this.#lanes.get(endpointId);
    const { window, slow, ended } = lane?.pace ?? this.#paceOf(endpointId);
    if (slow && this.#slow >= this.#caps.slow) return 0;
    const ahead = slow ? 0 : Math.min(2 * ended, mostAhead);
    const wanted = window + ahead - (lane?.inFlight ?? 0) - (lane?.waiting.length ?? 0);
    return Math.max(0, Math.min(wanted, this.#caps.waiting - this.#waiting));
  }

  add(orgId: OrgId, claimed: readonly Claimed[]): void {
    for (const delivery of claimed) {
      const lane = this.#laneOf(orgId, delivery.endpointId);
      lane.pace.ended = 0;
      lane.waiting.push(delivery);
      this.#waiting += 1;
      this.#line(lane);
    }
  }

  /** The delivery whose turn it is, in a slot of its own; undefined when nobody's is, or no slot is free. */
  next(): Slot | undefined {
    for (let lane = this.#takeLane(); lane !== undefined; lane = this.#takeLane()) {
      const delivery = lane.waiting.shift();
      if (delivery === undefined) continue;
      this.#waiting -= 1;
      lane.inFlight += 1;
      const { slow } = lane.pace;
      const slot: Slot = { orgId: lane.orgId, delivery, lane, startedAt: performance.now(), slow };
      if (slow) this.#slow += 1;
      else this.#quick.add(slot);
      this.#line(lane);
      return slot;
    }
    return undefined;
  }

  /**
   * Frees the slot.
   *
   * @param timedOut whether the endpoint let the deadline pass; undefined when no attempt was made
   * @returns deliveries to give back: those that would wait behind others that hang
   */
  end(slot: Slot, timedOut?: boolean): Claimed[] {
    const { lane } = slot;
    if (slot.slow) this.#slow -= 1;
    else this.#quick.delete(slot);
    lane.inFlight -= 1;
    if (timedOut !== undefined) {
      lane.pace.ended += 1;
      lane.pace.slow = performance.now() - slot.startedAt > slowAfter;
      lane.pace.window = timedOut ? 1 : Math.min(2 * lane.pace.window, this.#caps.perEndpoint);
    }
    const unused = timedOut ? lane.waiting.splice(0) : [];
    this.#waiting -= unused.length;
    if (lane.inFlight === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.endpointId);
    else this.#line(lane);
    return unused;
  }

  /** Moves attempts that have become slow to the slots for those. @returns whether any was */
  setSlowAside(): boolean {
    const limit = performance.now() - slowAfter;
    let moved = false;
    for (const slot of this.#quick) {
      if (slot.startedAt > limit || this.#slow >= this.#caps.slow) break;
      this.#quick.delete(slot);
      this.#slow += 1;
      slot.slow = true;
      slot.lane.pace.slow = true;
      moved = true;
    }
    return moved;
  }

  /** Takes out all that waits. */
  clear(): { orgId: OrgId; delivery: Claimed }[] {
    const out = [...this.#lanes.values()].flatMap(({ orgId, waiting }) =>
      waiting.splice(0).map((delivery) => ({ orgId, delivery })),
    );
    this.#waiting = 0;
    return out;
  }

  /** The lane whose turn it is and that may still send; its pace may have changed while it stood in line. */
  #takeLane(): Lane | undefined {
    while (this.#quick.size < this.#caps.inFlight) {
      const lane = this.#quickTurns.take();
      if (lane === undefined) break;
      if (!lane.pace.slow && lane.inFlight < lane.pace.window) return lane;
      this.#line(lane);
    }
    while (this.#slow < this.#caps.slow) {
      const lane = this.#slowTurns.take();
      if (lane === undefined) break;
      if (lane.inFlight < lane.pace.window) return lane;
    }
    return undefined;
  }

  /** Lets a lane stand in line if it has something to send and may. */
  #line(lane: Lane): void {
    if (lane.waiting.length === 0 || lane.inFlight >= lane.pace.window) return;
    (lane.pace.slow ? this.#slowTurns : this.#quickTurns).add(lane);
  }

  #laneOf(orgId: OrgId, endpointId: EndpointId): Lane {
    const known = this.#lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane = { orgId, endpointId, waiting: [], inFlight: 0, pace: this.#paceOf(endpointId) };
    this.#lanes.set(endpointId, lane);
    return lane;
  }

  #paceOf(endpointId: EndpointId): Pace {
    const known = this.#paces.get(endpointId);
    if (known !== undefined) return known;
    const pace = { window: 1, slow: false, ended: 0 };
    this.#paces.set(endpointId, pace);
    return pace;
  }
}
