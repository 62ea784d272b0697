/**
 * When and from where API keys were last used. A request only notes it in memory; housekeeping writes it down, for each
 * school at most once a minute, and the rest when the server stops. A process that is killed loses the last minute's.
 */
import { eq } from "drizzle-orm";
import { type Clock, type Instant, minutes, toInstant } from "../../../core/clock.ts";
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
  /** Takes no time: the request that is being served does not wait for it. */
  note(orgId: OrgId, keyId: ApiKeyId, address: string): void;
  /** Writes what is to be written by now; with `all`, whatever there is. */
  write(options?: { all?: boolean }): Promise<void>;
}

const pause = minutes(1);

export function createApiKeyUses({ clock, tenant, log }: Dependencies): ApiKeyUses {
  const noted = new Map<OrgId, Map<ApiKeyId, Use>>();
  const writtenAt = new Map<OrgId, number>();

  const isDue = (orgId: OrgId) => clock.now().getTime() - (writtenAt.get(orgId) ?? 0) >= pause;

  const writeFor = async (orgId: OrgId, uses: ReadonlyMap<ApiKeyId, Use>) => {
    writtenAt.set(orgId, clock.now().getTime());
    try {
      await tenant(orgId).write(async (tx) => {
        tx.unseen();
        for (const [id, { at, address }] of uses)
          await tx.update(apiKeys).set({ last_used_at: at, last_used_address: address }).where(eq(apiKeys.id, id));
      });
    } catch (err) {
      log.warn({ organization_id: orgId, err }, "When API keys were last used could not be written.");
    }
  };

  return {
    note(orgId, keyId, address) {
      const uses = noted.get(orgId) ?? new Map<ApiKeyId, Use>();
      noted.set(orgId, uses.set(keyId, { at: toInstant(clock.now()), address }));
    },
    async write({ all = false } = {}) {
      // Schools whose minute is over and that nobody asked since would be remembered for nothing.
      for (const orgId of writtenAt.keys()) if (!noted.has(orgId) && isDue(orgId)) writtenAt.delete(orgId);
      for (const [orgId, uses] of [...noted]) {
        if (!all && !isDue(orgId)) continue;
        noted.delete(orgId);
        await writeFor(orgId, uses);
      }
    },
  };
}
