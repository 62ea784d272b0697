import { isToCome } from "../../../core/clock.ts";
import { clearExpiredSecrets, rotationWindow } from "../../../events/signing-secrets.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { nextSecretExpiry } from "./webhooks.queries.ts";

/**
 * Deletes the previous signing secrets 72 hours after a rotation. They have expired by then; deleting them protects them if
 * the database leaks.
 *
 * @returns the number of deleted secrets
 */
export async function deleteExpiredSecrets(context: TenantContext): Promise<number> {
  const { tenant, clock } = context;
  // A read first: an empty write transaction would cost a commit.
  const next = await tenant.read(nextSecretExpiry);
  if (next === null || isToCome(next, clock.now(), rotationWindow)) return 0;
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
