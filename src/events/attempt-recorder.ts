import { type Clock, type Instant, isToCome } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import type { DeliveryId, OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import type { OnDisabled } from "./endpoint-health.ts";
import type { Reservation } from "./endpoint-queues.ts";
import { type Claim, type Claimed, claim, dueTimes, release } from "./outbox.ts";
import { isLast, recordAttempts } from "./record-attempts.ts";
import { longestRetryDelay } from "./retry-delays.ts";

interface AttemptRecorderOptions {
  clock: Clock;
  log: { warn(details: Record<string, unknown>, message: string): void };
  /** The duration of a claim, in milliseconds. */
  lease: number;
  /** Whether no other process uses these databases: then the claims of earlier boots are void. */
  exclusive: boolean;
}

/** What one transaction writes for an organization. */
export interface Batch {
  ended: Attempt[];
  /** Claimed, but not attempted. */
  released: Claimed[];
}

interface Claiming {
  room: Reservation;
  /** Called inside the transaction: a stop can come while the transaction waits to start. */
  mayClaim: () => boolean;
}

/** Writes an organization's deliveries: records the attempts that ended and claims the next, in one transaction. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  readonly #boot = randomBytes(8).toString("hex");
  /** Organizations in which this boot has taken over the claims of earlier boots. */
  readonly #takenOver = new Set<OrgId>();

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  async write(tenant: Tenant, { ended, released }: Batch, { room, mayClaim }: Claiming): Promise<Claim | undefined> {
    const onDisabled: OnDisabled = (endpointId, reason) =>
      this.#options.log.warn(
        { organization_id: tenant.id, endpoint_id: endpointId, reason },
        "A webhook endpoint was disabled.",
      );
    const { counted, claimed } = await tenant.write(async (tx) => {
      room.drop(); // a transaction that is retried claims again
      if (released.length > 0) await release(tx, released);
      const counted = ended.length > 0 ? await recordAttempts(tx, ended, onDisabled) : undefined;
      const claimed = mayClaim()
        ? await claim(tx, {
            room,
            lease: this.#options.lease,
            token: `${this.#boot}.${randomBytes(8).toString("hex")}`,
            takeOver: this.#mayTakeOver(tenant.id),
          })
        : undefined;
      return { counted, claimed };
    });
    if (claimed !== undefined) this.#takenOver.add(tenant.id);
    this.#logLosses(tenant.id, ended, counted ?? new Set());
    return claimed;
  }

  /**
   * Checks for due deliveries without a write, which would cost a sync and a checkpoint.
   *
   * @returns when the next delivery is due: "now", later, or null for never
   */
  async nextDue(tenant: Tenant): Promise<Instant | "now" | null> {
    const { pending, delivering } = await tenant.read(dueTimes);
    const { clock, lease } = this.#options;
    const now = clock.now();
    if (pending !== null && !isToCome(pending, now, longestRetryDelay)) return "now";
    if (delivering !== null && (this.#mayTakeOver(tenant.id) || !isToCome(delivering.leaseUntil, now, lease)))
      return "now";
    this.#takenOver.add(tenant.id);
    // Another process may have claimed it, and end before it records a result.
    const claimed = this.#options.exclusive ? undefined : delivering?.leaseUntil;
    return claimed !== undefined && (pending === null || claimed < pending) ? claimed : pending;
  }

  #logLosses(orgId: OrgId, ended: readonly Attempt[], counted: ReadonlySet<DeliveryId>): void {
    const { log } = this.#options;
    for (const { delivery, outcome, trace } of ended.filter(isLast)) {
      if (outcome.errorClass === null || !counted.has(delivery.id)) continue;
      const { id, endpointId } = delivery;
      const failure = { error_class: outcome.errorClass, status_code: outcome.status };
      const ids = { organization_id: orgId, endpoint_id: endpointId, delivery_id: id, trace_id: trace.traceId };
      log.warn({ ...ids, ...failure }, "A delivery failed.");
    }
    const takenOver = ended.flatMap(({ delivery: { id } }) => (counted.has(id) ? [] : [id]));
    if (takenOver.length > 0) {
      log.warn(
        { organization_id: orgId, deliveries: takenOver },
        "Deliveries were taken over before their attempts were recorded. Receivers may get them twice.",
      );
    }
  }

  #mayTakeOver(orgId: OrgId): boolean {
    return this.#options.exclusive && !this.#takenOver.has(orgId);
  }
}
