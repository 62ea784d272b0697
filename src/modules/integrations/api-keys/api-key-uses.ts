/**
 * Records when and from which address API keys were last used. A request records its use in memory. Housekeeping writes
 * the uses of each school at most once a minute, and a stopping server those of schools whose files are open. Other uses
 * are lost at a stop.
 */
import { eq } from "drizzle-orm";
import { type Clock, hasPassed, type Instant, minutes, toInstant } from "../../../core/clock.ts";
import type { ApiKeyId, OrgId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { apiKeys } from "./api-keys.tables.ts";

interface Dependencies {
  clock: Clock;
  tenant(orgId: OrgId): Tenant;
  log: { warn(details: Record<string, unknown>, message: string): void };
}

interface Use {
  at: Instant;
  address: string;
}

export interface ApiKeyUses {
  /** Records a use in memory. */
  note(orgId: OrgId, keyId: ApiKeyId, address: string): void;
  /** Writes the uses of schools whose last write is a minute ago. */
  write(options?: WriteOptions): Promise<void>;
}

interface WriteOptions {
  /** Selects the schools, instead. */
  isDue?: (orgId: OrgId) => boolean;
  /** Asked before each school. The schools that are left are the first of the next call. */
  hasTime?: () => boolean;
}

const writeInterval = minutes(1);

export function createApiKeyUses({ clock, tenant, log }: Dependencies): ApiKeyUses {
  const unwritten = new Map<OrgId, Map<ApiKeyId, Use>>();
  const writtenAt = new Map<OrgId, number>();

  const isDue = (orgId: OrgId) => hasPassed(writeInterval, { since: writtenAt.get(orgId) ?? 0, now: clock.now() });

  const writeFor = async (orgId: OrgId, uses: ReadonlyMap<ApiKeyId, Use>) => {
    writtenAt.set(orgId, clock.now().getTime());
    try {
      await tenant(orgId).write(async (tx) => {
        tx.unseen();
        tx.aside(); // a school that is only read stays idle, and its file complete
        for (const [id, { at, address }] of uses)
          await tx.update(apiKeys).set({ last_used_at: at, last_used_address: address }).where(eq(apiKeys.id, id));
      });
    } catch (err) {
      log.warn({ organization_id: orgId, err }, "Failed to write when API keys were last used. These uses are lost.");
    }
  };

  return {
    note(orgId, keyId, address) {
      const uses = unwritten.get(orgId) ?? new Map<ApiKeyId, Use>();
      unwritten.set(orgId, uses.set(keyId, { at: toInstant(clock.now()), address }));
    },
    async write({ isDue: isSelected = isDue, hasTime = () => true } = {}) {
      // Schools without uses for a minute need no entry: the next use may be written at once.
      for (const orgId of writtenAt.keys()) if (!unwritten.has(orgId) && isDue(orgId)) writtenAt.delete(orgId);
      for (const [orgId, uses] of [...unwritten]) {
        if (!isSelected(orgId)) continue;
        if (!hasTime()) return;
        unwritten.delete(orgId);
        await writeFor(orgId, uses);
      }
    },
  };
}
