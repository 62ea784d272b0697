import { sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { emailTokens, handoffTokens } from "./accounts.tables.ts";
import { mfaChallenges } from "./mfa/mfa.tables.ts";
import { oauthFlows } from "./oauth/oauth.tables.ts";

const kinds = {
  mfa_challenges: mfaChallenges,
  handoff_tokens: handoffTokens,
  email_tokens: emailTokens,
  oauth_flows: oauthFlows,
};

/** Small enough that requests do not wait long for the database. */
const batch = 500;

/**
 * Deletes the tokens of one kind that expired before a moment, used or not.
 *
 * @returns the number of deleted tokens
 */
export async function removeExpiredTokens(
  context: Context,
  { kind, before }: { kind: keyof typeof kinds; before: Instant },
): Promise<number> {
  const table = kinds[kind];
  let removed = 0;
  for (;;) {
    const count = await context.control.write(async (tx) => {
      const some = sql`rowid in (select rowid from ${table} where ${table.expires_at} < ${before} limit ${batch})`;
      const deleted = await tx.delete(table).where(some).returning({ expires_at: table.expires_at });
      if (deleted.length > 0) {
        const after = { count: deleted.length, expired_before: before };
        await audit(tx, context, `${kind}.removed`, { subject: { kind, id: "expired" }, after });
      }
      return deleted.length;
    });
    removed += count;
    if (count < batch) return removed;
  }
}
