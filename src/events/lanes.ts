/**
 * What is sent next. Each endpoint has a lane: deliveries that were claimed and wait, and attempts under way. Lanes take
 * turns within an organization, and organizations among each other. Attempts that take long are moved to slots of their
 * own, and so is the next attempt at an endpoint that was slow: endpoints that hang can't use up what the others need. Nor
 * can an organization, whose share of everything is bounded (`shares.ts`).
 */
import { performance } from "node:perf_hooks";
import type { EndpointId, OrgId } from "../core/ids.ts";
import { Turns } from "../core/turns.ts";
import type { Claimed, Room } from "./outbox.ts";
import { type Pace, Paces, slowAfter } from "./pace.ts";
import { type Caps, Shares } from "./shares.ts";

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

/**
 * Milliseconds between the beginnings of attempts at endpoints that hang. They end when their deadline passes, so without
 * this, what once began together would end together for ever, and the connections of all that follow would be made in one
 * go, which takes the time of everybody's attempts.
 */
const spacing = 10;

export class Lanes {
  readonly #caps: Caps;
  readonly #stopwatch: () => number;
  readonly #shares: Shares;
  readonly #lanes = new Map<EndpointId, Lane>();
  readonly #paces = new Paces();
  readonly #quickTurns = new Turns<Lane>();
  readonly #slowTurns = new Turns<Lane>();
  /** Slow ones whose last attempt had no answer. */
  readonly #hangingTurns = new Turns<Lane>();
  /** Attempts under way, oldest first. */
  readonly #quick = new Set<Slot>();
  #lastHanging = Number.NEGATIVE_INFINITY;
  /** Of those that count as waiting, the ones that may yet be claimed. */
  #reserved = 0;

  /** @param stopwatch milliseconds, from any beginning */
  constructor(caps: Caps, stopwatch: () => number = () => performance.now()) {
    this.#caps = caps;
    this.#stopwatch = stopwatch;
    this.#shares = new Shares(caps);
  }

  get inFlight(): number {
    return this.#quick.size + this.slow;
  }

  get slow(): number {
    return this.#shares.taken("slow");
  }

  get waiting(): number {
    return this.#shares.taken("waiting") - this.#reserved;
  }

  /** Whether nobody may claim anything. */
  get isFull(): boolean {
    return this.#shares.isUsedUp("waiting");
  }

  /** Whether quick lanes wait for a slot, which may be held by an attempt that has become slow. */
  get isBlocked(): boolean {
    return !this.#quickTurns.isEmpty;
  }

  /** Milliseconds until an attempt at an endpoint that hangs may begin; undefined when none waits that has a slot. */
  get untilHanging(): number | undefined {
    if (!this.#hangingTurns.hasOne(this.#maySlow)) return undefined;
    return Math.max(0, this.#lastHanging + spacing - this.#stopwatch());
  }

  reserve(orgId: OrgId): Reservation {
    let held = 0;
    const hold = (count: number) => {
      held += count;
      this.#reserved += count;
      this.#shares.take("waiting", orgId, count);
      return count;
    };
    return {
      of: (endpointId) => this.#roomOf(orgId, endpointId),
      take: (endpointId, count) => hold(Math.min(count, this.#roomOf(orgId, endpointId))),
      drop: () => void hold(-held),
    };
  }

  add(orgId: OrgId, claimed: readonly Claimed[]): void {
    for (const delivery of claimed) {
      const lane = this.#laneOf(orgId, delivery.endpointId);
      lane.pace.claimed();
      lane.waiting.push(delivery);
      this.#line(lane);
    }
    this.#shares.take("waiting", orgId, claimed.length);
  }

  /** The delivery whose turn it is, in a slot of its own; undefined when nobody's is, or no slot is free. */
  next(): Slot | undefined {
    const lane = this.#takeLane();
    const delivery = lane?.waiting.shift();
    if (lane === undefined || delivery === undefined) return undefined;
    const { orgId } = lane;
    lane.inFlight += 1;
    const slow = lane.pace.isSlow;
    const slot: Slot = { orgId, delivery, lane, startedAt: this.#stopwatch(), slow };
    this.#shares.take("waiting", orgId, -1);
    this.#shares.take(slow ? "slow" : "inFlight", orgId, 1);
    if (!slow) this.#quick.add(slot);
    this.#line(lane);
    return slot;
  }

  /** Frees the slot. @returns deliveries to give back: those that would wait behind others that hang */
  end(slot: Slot, how: SlotEnd): Claimed[] {
    const { lane } = slot;
    this.#shares.take(slot.slow ? "slow" : "inFlight", slot.orgId, -1);
    this.#quick.delete(slot);
    lane.inFlight -= 1;
    const took = this.#stopwatch() - slot.startedAt;
    if (how !== "unmade") lane.pace.ended({ took, answered: how === "answered", most: this.#caps.perEndpoint });
    const unused = how === "hung" ? this.#emptied(lane) : [];
    this.#line(lane);
    if (lane.inFlight === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.endpointId);
    return unused;
  }

  /** @returns deliveries to give back: all that wait for an endpoint, which is not what it was when they were claimed */
  recall(endpointId: EndpointId): Claimed[] {
    const lane = this.#lanes.get(endpointId);
    if (lane === undefined) return [];
    const recalled = this.#emptied(lane);
    if (lane.inFlight === 0) this.#lanes.delete(endpointId);
    return recalled;
  }

  /** Moves attempts that have become slow to the slots for those. */
  setSlowAside(): void {
    const limit = this.#stopwatch() - slowAfter;
    for (const slot of this.#quick) {
      if (slot.startedAt > limit) return;
      if (!this.#shares.may("slow", slot.orgId)) continue;
      this.#quick.delete(slot);
      this.#shares.take("inFlight", slot.orgId, -1);
      this.#shares.take("slow", slot.orgId, 1);
      slot.slow = true;
      slot.lane.pace.isSlow = true;
      this.#line(slot.lane);
    }
  }

  /** Takes out all that waits. */
  clear(): { orgId: OrgId; delivery: Claimed }[] {
    const out: { orgId: OrgId; delivery: Claimed }[] = [];
    for (const lane of this.#lanes.values()) {
      for (const delivery of this.#emptied(lane)) out.push({ orgId: lane.orgId, delivery });
      if (lane.inFlight === 0) this.#lanes.delete(lane.endpointId);
    }
    return out;
  }

  /** Takes out what waits for an endpoint. */
  #emptied(lane: Lane): Claimed[] {
    const waiting = lane.waiting.splice(0);
    this.#shares.take("waiting", lane.orgId, -waiting.length);
    this.#line(lane);
    return waiting;
  }

  /** How many more of an endpoint's deliveries are worth claiming now. */
  #roomOf(orgId: OrgId, endpointId: EndpointId): number {
    const lane = this.#lanes.get(endpointId);
    const pace = lane?.pace ?? this.#paces.of(endpointId);
    if (pace.isSlow && !this.#shares.may("slow", orgId)) return 0;
    const claimed = (lane?.inFlight ?? 0) + (lane?.waiting.length ?? 0);
    return Math.max(0, Math.min(pace.worth - claimed, this.#shares.leftOf("waiting", orgId)));
  }

  #takeLane(): Lane | undefined {
    const lane =
      this.#quickTurns.take((orgId) => this.#shares.may("inFlight", orgId)) ??
      this.#slowTurns.take(this.#maySlow) ??
      this.#takeHangingLane();
    if (lane !== undefined) lane.line = undefined;
    return lane;
  }

  readonly #maySlow = (orgId: OrgId) => this.#shares.may("slow", orgId);

  #takeHangingLane(): Lane | undefined {
    if (this.#stopwatch() < this.#lastHanging + spacing) return undefined;
    const lane = this.#hangingTurns.take(this.#maySlow);
    if (lane !== undefined) this.#lastHanging = this.#stopwatch();
    return lane;
  }

  #turnsOf({ isSlow, hangs }: Pace): Turns<Lane> {
    if (!isSlow) return this.#quickTurns;
    return hangs ? this.#hangingTurns : this.#slowTurns;
  }

  /** Lets a lane stand where it belongs: in the line of its pace if it has something to send and may, else in none. */
  #line(lane: Lane): void {
    const { waiting, inFlight, pace } = lane;
    const may = waiting.length > 0 && inFlight < pace.window;
    const line = may ? this.#turnsOf(pace) : undefined;
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
