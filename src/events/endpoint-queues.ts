/**
 * Decides which delivery is sent next. Each endpoint has a queue: its claimed deliveries that wait, and its attempts in
 * flight. Organizations take turns (round robin), and so do the endpoints within one. Attempts that take long move to
 * slow slots, and so does the next attempt at an endpoint that was slow, so endpoints that hang leave slots for the
 * others. An organization is limited by its quotas (`quotas.ts`).
 */
import { performance } from "node:perf_hooks";
import type { EndpointId, OrgId } from "../core/ids.ts";
import { RoundRobin } from "../core/round-robin.ts";
import type { Claimed, Room } from "./outbox.ts";
import { type Caps, Quotas } from "./quotas.ts";
import { type SendWindow, SendWindows, slowAfter } from "./send-window.ts";

interface EndpointQueue {
  readonly orgId: OrgId;
  readonly endpointId: EndpointId;
  readonly window: SendWindow;
  readonly waiting: Claimed[];
  inFlight: number;
  /** The rotation that the queue is in; undefined when it may not send now. */
  rotation: Rotation | undefined;
}

type Rotation = RoundRobin<OrgId, EndpointQueue>;
const rotation = (): Rotation => new RoundRobin(({ orgId }) => orgId);

/** An attempt in flight, and the cap that it counts against. */
export interface Slot {
  readonly orgId: OrgId;
  readonly delivery: Claimed;
  readonly queue: EndpointQueue;
  readonly startedAt: number;
  slow: boolean;
}

/** `completed`: the attempt ended, with success or failure. `hung`: it timed out. `skipped`: no attempt was made. */
export type SlotEnd = "completed" | "hung" | "skipped";

/** Room for one claim. What the claim takes counts as waiting at once, so concurrent claims stay within the caps. */
export interface Reservation extends Room {
  /** Ends the reservation. Must be called when the claimed deliveries were added, or will not be. */
  drop(): void;
}

/**
 * Milliseconds between the starts of attempts at endpoints that hang. Such attempts end when they time out. Without the
 * spacing, attempts that start together end together for ever, and each batch of new connections delays all other
 * attempts.
 */
const hangingSpacing = 10;

export class EndpointQueues {
  readonly #caps: Caps;
  readonly #stopwatch: () => number;
  readonly #quotas: Quotas;
  readonly #queues = new Map<EndpointId, EndpointQueue>();
  readonly #windows = new SendWindows();
  readonly #quickRotation = rotation();
  readonly #slowRotation = rotation();
  /** Slow queues whose last attempt timed out. */
  readonly #hangingRotation = rotation();
  /** Attempts in quick slots, oldest first. */
  readonly #quickSlots = new Set<Slot>();
  #lastHangingStart = Number.NEGATIVE_INFINITY;
  /** Reserved by claims that have not ended. Counts as waiting. */
  #reserved = 0;

  /** @param stopwatch milliseconds since any fixed point */
  constructor(caps: Caps, stopwatch: () => number = () => performance.now()) {
    this.#caps = caps;
    this.#stopwatch = stopwatch;
    this.#quotas = new Quotas(caps);
  }

  get inFlight(): number {
    return this.#quickSlots.size + this.slow;
  }

  get slow(): number {
    return this.#quotas.used("slow");
  }

  get waiting(): number {
    return this.#quotas.used("waiting") - this.#reserved;
  }

  /** Whether no organization may claim anything. */
  get isFull(): boolean {
    return this.#quotas.isExhausted("waiting");
  }

  /** Whether quick queues wait for a slot. An attempt that has become slow may occupy it. */
  get isBlocked(): boolean {
    return !this.#quickRotation.isEmpty;
  }

  /** Milliseconds until the next attempt at an endpoint that hangs may start; undefined when none could. */
  get hangingDelay(): number | undefined {
    if (!this.#hangingRotation.hasOne(this.#hasSlowSlot)) return undefined;
    return Math.max(0, this.#lastHangingStart + hangingSpacing - this.#stopwatch());
  }

  reserve(orgId: OrgId): Reservation {
    let held = 0;
    const hold = (count: number) => {
      held += count;
      this.#reserved += count;
      this.#quotas.take("waiting", orgId, count);
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
      const queue = this.#queueOf(orgId, delivery.endpointId);
      queue.window.onClaim();
      queue.waiting.push(delivery);
      this.#updateRotation(queue);
    }
    this.#quotas.take("waiting", orgId, claimed.length);
  }

  /** Removes the next delivery and assigns a slot to it; undefined when none may be sent now. */
  next(): Slot | undefined {
    const queue = this.#takeQueue();
    const delivery = queue?.waiting.shift();
    if (queue === undefined || delivery === undefined) return undefined;
    const { orgId } = queue;
    queue.inFlight += 1;
    const slow = queue.window.isSlow;
    const slot: Slot = { orgId, delivery, queue, startedAt: this.#stopwatch(), slow };
    this.#quotas.take("waiting", orgId, -1);
    this.#quotas.take(slow ? "slow" : "inFlight", orgId, 1);
    if (!slow) this.#quickSlots.add(slot);
    this.#updateRotation(queue);
    return slot;
  }

  /** Frees a slot. @returns deliveries to release: after a timeout, all that wait for the endpoint */
  end(slot: Slot, how: SlotEnd): Claimed[] {
    const { queue } = slot;
    this.#quotas.take(slot.slow ? "slow" : "inFlight", slot.orgId, -1);
    this.#quickSlots.delete(slot);
    queue.inFlight -= 1;
    const took = this.#stopwatch() - slot.startedAt;
    if (how !== "skipped") queue.window.onEnd({ took, completed: how === "completed", max: this.#caps.perEndpoint });
    const released = how === "hung" ? this.#drain(queue) : [];
    this.#updateRotation(queue);
    if (queue.inFlight === 0 && queue.waiting.length === 0) this.#queues.delete(queue.endpointId);
    return released;
  }

  /** Removes the deliveries that wait for an endpoint that was changed after their claim. @returns them, to release */
  recall(endpointId: EndpointId): Claimed[] {
    const queue = this.#queues.get(endpointId);
    if (queue === undefined) return [];
    const recalled = this.#drain(queue);
    if (queue.inFlight === 0) this.#queues.delete(endpointId);
    return recalled;
  }

  /** Moves attempts that have become slow from quick slots to slow slots, while there are any. */
  moveSlowAttempts(): void {
    const limit = this.#stopwatch() - slowAfter;
    for (const slot of this.#quickSlots) {
      if (slot.startedAt > limit) return;
      if (!this.#quotas.hasAvailable("slow", slot.orgId)) continue;
      this.#quickSlots.delete(slot);
      this.#quotas.take("inFlight", slot.orgId, -1);
      this.#quotas.take("slow", slot.orgId, 1);
      slot.slow = true;
      slot.queue.window.isSlow = true;
      this.#updateRotation(slot.queue);
    }
  }

  /** Removes and returns all waiting deliveries. */
  clear(): { orgId: OrgId; delivery: Claimed }[] {
    const removed: { orgId: OrgId; delivery: Claimed }[] = [];
    for (const queue of this.#queues.values()) {
      for (const delivery of this.#drain(queue)) removed.push({ orgId: queue.orgId, delivery });
      if (queue.inFlight === 0) this.#queues.delete(queue.endpointId);
    }
    return removed;
  }

  /** Removes and returns a queue's waiting deliveries. */
  #drain(queue: EndpointQueue): Claimed[] {
    const waiting = queue.waiting.splice(0);
    this.#quotas.take("waiting", queue.orgId, -waiting.length);
    this.#updateRotation(queue);
    return waiting;
  }

  /** Returns how many more of an endpoint's deliveries to claim now. */
  #roomOf(orgId: OrgId, endpointId: EndpointId): number {
    const queue = this.#queues.get(endpointId);
    const window = queue?.window ?? this.#windows.of(endpointId);
    if (window.isSlow && !this.#quotas.hasAvailable("slow", orgId)) return 0;
    const claimed = (queue?.inFlight ?? 0) + (queue?.waiting.length ?? 0);
    return Math.max(0, Math.min(window.claimLimit - claimed, this.#quotas.available("waiting", orgId)));
  }

  #takeQueue(): EndpointQueue | undefined {
    const queue =
      this.#quickRotation.take((orgId) => this.#quotas.hasAvailable("inFlight", orgId)) ??
      this.#slowRotation.take(this.#hasSlowSlot) ??
      this.#takeHangingQueue();
    if (queue !== undefined) queue.rotation = undefined;
    return queue;
  }

  readonly #hasSlowSlot = (orgId: OrgId) => this.#quotas.hasAvailable("slow", orgId);

  #takeHangingQueue(): EndpointQueue | undefined {
    if (this.#stopwatch() < this.#lastHangingStart + hangingSpacing) return undefined;
    const queue = this.#hangingRotation.take(this.#hasSlowSlot);
    if (queue !== undefined) this.#lastHangingStart = this.#stopwatch();
    return queue;
  }

  #rotationFor({ isSlow, hangs }: SendWindow): Rotation {
    if (!isSlow) return this.#quickRotation;
    return hangs ? this.#hangingRotation : this.#slowRotation;
  }

  /** Moves a queue to the rotation of its speed, or out of rotation when it is empty or its window is full. */
  #updateRotation(queue: EndpointQueue): void {
    const { waiting, inFlight, window } = queue;
    const maySend = waiting.length > 0 && inFlight < window.size;
    const rotation = maySend ? this.#rotationFor(window) : undefined;
    if (rotation === queue.rotation) return;
    queue.rotation?.remove(queue);
    rotation?.add(queue);
    queue.rotation = rotation;
  }

  #queueOf(orgId: OrgId, endpointId: EndpointId): EndpointQueue {
    const existing = this.#queues.get(endpointId);
    if (existing !== undefined) return existing;
    const window = this.#windows.of(endpointId);
    const queue: EndpointQueue = { orgId, endpointId, window, waiting: [], inFlight: 0, rotation: undefined };
    this.#queues.set(endpointId, queue);
    return queue;
  }
}
