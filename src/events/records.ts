import { type Clock, type Instant, toInstant } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import type { DeliveryId, OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import type { OnDisabled } from "./endpoint-health.ts";
import type { Reservation } from "./lanes.ts";
import { type Claim, type Claimed, claim, outlook, release } from "./outbox.ts";
import { isLast, recordAttempts } from "./record-attempts.ts";

interface RecordsOptions {
  clock: Clock;
  log: { warn(details: Record<string, unknown>, message: string): void };
  /** How long a claim lasts, in milliseconds. */
  lease: number;
  /** Whether no other process works on these databases: then what other boots have claimed is void. */
  alone: boolean;
}

/** What there is to write for an organization. */
export interface Batch {
  ended: Attempt[];
  /** Claimed, but not begun: given back. */
  unused: Claimed[];
}

/** Whether to claim, and how much. */
interface Claiming {
  room: Reservation;
  /** Asked inside the transaction: a stop can come while it waits for its turn. */
  mayClaim: () => boolean;
}

/** An organization's deliveries on disk: takes down how attempts ended and claims the next, all in one transaction. */
export class Records {
  readonly #options: RecordsOptions;
  readonly #boot = randomBytes(8).toString("hex");
  /** Organizations in which this boot has taken over what others left. */
  readonly #takenOver = new Set<OrgId>();

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  async write(tenant: Tenant, { ended, unused }: Batch, { room, mayClaim }: Claiming): Promise<Claim | undefined> {
    const onDisabled: OnDisabled = (endpointId, reason) =>
      this.#options.log.warn(
        { organization_id: tenant.id, endpoint_id: endpointId, reason },
        "A webhook endpoint was disabled.",
      );
    const { counted, claimed } = await tenant.write(async (tx) => {
      room.drop(); // a body that runs again claims again
      if (unused.length > 0) await release(tx, unused);
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
   * Looks without writing, which would cost a sync and a checkpoint.
   *
   * @returns when the next delivery is due: "now", later, or null for never
   */
  async look(tenant: Tenant): Promise<Instant | "now" | null> {
    const { pending, delivering } = await tenant.read(outlook);
    const now = toInstant(this.#options.clock.now());
    if (pending !== null && pending <= now) return "now";
    if (delivering !== null && (this.#mayTakeOver(tenant.id) || delivering.leaseUntil <= now)) return "now";
    this.#takenOver.add(tenant.id);
    return pending;
  }

  #logLosses(orgId: OrgId, ended: readonly Attempt[], counted: ReadonlySet<DeliveryId>): void {
    const { log } = this.#options;
    for (const { delivery, outcome } of ended.filter(isLast)) {
      if (outcome.errorClass === null || !counted.has(delivery.id)) continue;
      const { id, endpointId } = delivery;
      const failure = { error_class: outcome.errorClass, status_code: outcome.status };
      log.warn({ organization_id: orgId, endpoint_id: endpointId, delivery_id: id, ...failure }, "A delivery failed.");
    }
    const takenOver = ended.flatMap(({ delivery: { id } }) => (counted.has(id) ? [] : [id]));
    if (takenOver.length > 0) {
      log.warn(
        { organization_id: orgId, deliveries: takenOver },
        "Deliveries were taken over before they were recorded; receivers may see them twice.",
      );
    }
  }

  #mayTakeOver(orgId: OrgId): boolean {
    return this.#options.alone && !this.#takenOver.has(orgId);
  }
}
