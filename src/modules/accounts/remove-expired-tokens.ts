import { inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { inBatches } from "../../storage/in-batches.ts";
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
const batch = 100;

/**
 * Deletes the tokens of one kind that expired before a moment, used or not.
 *
 * @returns the number of deleted tokens
 */
export function removeExpiredTokens(
  context: Context,
  { kind, before }: { kind: keyof typeof kinds; before: Instant },
): Promise<number> {
  const table = kinds[kind];
  return inBatches(context.control, {
    next: (reader) =>
      reader.select({ rowid: sql<number>`rowid` }).from(table).where(lt(table.expires_at, before)).limit(batch),
    async work(tx, expired) {
      const ids = expired.map(({ rowid }) => rowid);
      await tx.delete(table).where(inArray(sql`rowid`, ids));
      const after = { count: ids.length, expired_before: before };
      await audit(tx, context, `${kind}.removed`, { subject: { kind, id: "expired" }, after });
      return ids.length;
    },
  });
}
