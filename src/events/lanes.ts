/**
 * What is sent next. Each endpoint has a lane: deliveries that were claimed and wait, and attempts under way. Lanes take
 * turns within an organization, and organizations among each other. Attempts that take long are moved to slots of their
 * own, and so is the next attempt at an endpoint that was slow: endpoints that hang can't use up what the others need.
 */
import { performance } from "node:perf_hooks";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Claimed, Room } from "./outbox.ts";
import { type Pace, Paces, slowAfter } from "./pace.ts";
import { Turns } from "./turns.ts";

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

interface Lane {
  readonly orgId: OrgId;
  readonly endpointId: EndpointId;
  readonly pace: Pace;
  readonly waiting: Claimed[];
  inFlight: number;
  /** Where it stands in line. */
  line: Turns<Lane> | undefined;
}

/** An attempt under way, and the slots it is counted in. */
export interface Slot {
  readonly orgId: OrgId;
  readonly delivery: Claimed;
  readonly lane: Lane;
  readonly startedAt: number;
  slow: boolean;
}

/** `answered`: in whichever way. `hung`: the deadline passed. `unmade`: no attempt was made. */
export type SlotEnd = "answered" | "hung" | "unmade";

/** Room for one claim. What it takes counts as waiting at once, so that claims side by side keep to the caps together. */
export interface Reservation extends Room {
  /** To be called once what was claimed has been added, or won't be. */
  drop(): void;
}

export class Lanes {
  readonly #caps: Caps;
  readonly #stopwatch: () => number;
  readonly #lanes = new Map<EndpointId, Lane>();
  readonly #paces = new Paces();
  readonly #quickTurns = new Turns<Lane>();
  readonly #slowTurns = new Turns<Lane>();
  /** Attempts under way, oldest first. */
  readonly #quick = new Set<Slot>();
  #slow = 0;
  #waiting = 0;
  #reserved = 0;

  /** @param stopwatch milliseconds, from any beginning */
  constructor(caps: Caps, stopwatch: () => number = () => performance.now()) {
    this.#caps = caps;
    this.#stopwatch = stopwatch;
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
    return this.#left <= 0;
  }

  /** Whether quick lanes wait for a slot, which may be held by an attempt that has become slow. */
  get isBlocked(): boolean {
    return !this.#quickTurns.isEmpty;
  }

  reserve(): Reservation {
    let held = 0;
    const hold = (count: number) => {
      held += count;
      this.#reserved += count;
      return count;
    };
    return {
      of: (endpointId) => this.#roomOf(endpointId),
      take: (endpointId, count) => hold(Math.min(count, this.#roomOf(endpointId))),
      drop: () => void hold(-held),
    };
  }

  add(orgId: OrgId, claimed: readonly Claimed[]): void {
    for (const delivery of claimed) {
      const lane = this.#laneOf(orgId, delivery.endpointId);
      lane.pace.claimed();
      lane.waiting.push(delivery);
      this.#waiting += 1;
      this.#line(lane);
    }
  }

  /** The delivery whose turn it is, in a slot of its own; undefined when nobody's is, or no slot is free. */
  next(): Slot | undefined {
    const lane = this.#takeLane();
    const delivery = lane?.waiting.shift();
    if (lane === undefined || delivery === undefined) return undefined;
    this.#waiting -= 1;
    lane.inFlight += 1;
    const slow = lane.pace.isSlow;
    const slot: Slot = { orgId: lane.orgId, delivery, lane, startedAt: this.#stopwatch(), slow };
    if (slow) this.#slow += 1;
    else this.#quick.add(slot);
    this.#line(lane);
    return slot;
  }

  /** Frees the slot. @returns deliveries to give back: those that would wait behind others that hang */
  end(slot: Slot, how: SlotEnd): Claimed[] {
    const { lane } = slot;
    if (slot.slow) this.#slow -= 1;
    else this.#quick.delete(slot);
    lane.inFlight -= 1;
    const took = this.#stopwatch() - slot.startedAt;
    if (how !== "unmade") lane.pace.ended({ took, answered: how === "answered", most: this.#caps.perEndpoint });
    const unused = how === "hung" ? lane.waiting.splice(0) : [];
    this.#waiting -= unused.length;
    this.#line(lane);
    if (lane.inFlight === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.endpointId);
    return unused;
  }

  /** Moves attempts that have become slow to the slots for those. */
  setSlowAside(): void {
    const limit = this.#stopwatch() - slowAfter;
    for (const slot of this.#quick) {
      if (slot.startedAt > limit || this.#slow >= this.#caps.slow) return;
      this.#quick.delete(slot);
      this.#slow += 1;
      slot.slow = true;
      slot.lane.pace.isSlow = true;
      this.#line(slot.lane);
    }
  }

  /** Takes out all that waits. */
  clear(): { orgId: OrgId; delivery: Claimed }[] {
    const out: { orgId: OrgId; delivery: Claimed }[] = [];
    for (const lane of this.#lanes.values()) {
      for (const delivery of lane.waiting.splice(0)) out.push({ orgId: lane.orgId, delivery });
      this.#line(lane);
      if (lane.inFlight === 0) this.#lanes.delete(lane.endpointId);
    }
    this.#waiting = 0;
    return out;
  }

  get #left(): number {
    return this.#caps.waiting - this.#waiting - this.#reserved;
  }

  /** How many more of an endpoint's deliveries are worth claiming now. */
  #roomOf(endpointId: EndpointId): number {
    const lane = this.#lanes.get(endpointId);
    const pace = lane?.pace ?? this.#paces.of(endpointId);
    if (pace.isSlow && this.#slow >= this.#caps.slow) return 0;
    const claimed = (lane?.inFlight ?? 0) + (lane?.waiting.length ?? 0);
    return Math.max(0, Math.min(pace.worth - claimed, this.#left));
  }

  #takeLane(): Lane | undefined {
    const quick = this.#quick.size < this.#caps.inFlight ? this.#quickTurns.take() : undefined;
    const lane = quick ?? (this.#slow < this.#caps.slow ? this.#slowTurns.take() : undefined);
    if (lane !== undefined) lane.line = undefined;
    return lane;
  }

  /** Lets a lane stand where it belongs: in the line of its pace if it has something to send and may, else in none. */
  #line(lane: Lane): void {
    const { waiting, inFlight, pace } = lane;
    const may = waiting.length > 0 && inFlight < pace.window;
    const line = may ? (pace.isSlow ? this.#slowTurns : this.#quickTurns) : undefined;
    if (line === lane.line) return;
    lane.line?.remove(lane);
    line?.add(lane);
    lane.line = line;
  }

  #laneOf(orgId: OrgId, endpointId: EndpointId): Lane {
    const known = this.#lanes.get(endpointId);
    if (known !== undefined) return known;
    const pace = this.#paces.of(endpointId);
    const lane: Lane = { orgId, endpointId, pace, waiting: [], inFlight: 0, line: undefined };
    this.#lanes.set(endpointId, lane);
    return lane;
  }
}
