import { toInstant } from "../../../core/clock.ts";
import { clearExpiredSecrets } from "../../../events/signing-secrets.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { nextSecretExpiry } from "../due.queries.ts";

/**
 * Forgets the signing secrets whose 72 hours are over. They have stopped signing by themselves; this is so that nobody
 * can find them.
 *
 * @returns how many there were
 */
export async function forgetExpiredSecrets(context: TenantContext): Promise<number> {
  const { tenant, clock } = context;
  // Asked outside of a transaction first: a write would put the file to work for nothing.
  const next = await tenant.read(nextSecretExpiry);
  if (next === null || next > toInstant(clock.now())) return 0;
  return tenant.write(async (tx) => {
    const count = await clearExpiredSecrets(tx);
    if (count > 0)
      await audit(tx, context, "webhook_secrets.forgotten", {
        subject: { kind: "webhook_endpoints", id: "rotated" },
        after: { count },
      });
    return count;
  });
}
