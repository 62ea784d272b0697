import { type Clock, type Instant, toInstant } from "../core/clock.ts";
import { randomBytes } from "../core/crypto.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import { type Claim, type Claimed, claim, outlook, release } from "./outbox.ts";
import { type Attempt, recordAttempts } from "./record-attempts.ts";

interface RecordsOptions {
  clock: Clock;
  log: { warn(details: Record<string, unknown>, message: string): void };
  /** How many more of an endpoint's deliveries may be claimed now. */
  room: (endpointId: EndpointId) => number;
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

/** An organization's deliveries on disk: takes down how attempts ended and claims the next, all in one transaction. */
export class Records {
  readonly #options: RecordsOptions;
  readonly #boot = randomBytes(8).toString("hex");
  /** Organizations in which this boot has taken over what others left. */
  readonly #takenOver = new Set<OrgId>();

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** @param mayClaim asked inside the transaction: a stop can come while it waits for its turn */
  async write(tenant: Tenant, batch: Batch, mayClaim: () => boolean): Promise<Claim | undefined> {
    const { ended, unused } = batch;
    const { counted, claimed } = await tenant.write(async (tx) => {
      if (unused.length > 0) await release(tx, unused);
      const counted = ended.length > 0 ? await recordAttempts(tx, ended) : undefined;
      const claimed = mayClaim()
        ? await claim(tx, {
            room: this.#options.room,
            lease: this.#options.lease,
            token: `${this.#boot}.${randomBytes(8).toString("hex")}`,
            takeOver: this.#mayTakeOver(tenant.id),
          })
        : undefined;
      return { counted, claimed };
    });
    if (claimed !== undefined) this.#takenOver.add(tenant.id);
    const lost = ended.flatMap(({ delivery }) => (counted?.has(delivery.id) ? [] : [delivery.id]));
    if (lost.length > 0) {
      this.#options.log.warn(
        { organization_id: tenant.id, deliveries: lost },
        "Deliveries were taken over before they were recorded; receivers may see them twice.",
      );
    }
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

  #mayTakeOver(orgId: OrgId): boolean {
    return this.#options.alone && !this.#takenOver.has(orgId);
  }
}
