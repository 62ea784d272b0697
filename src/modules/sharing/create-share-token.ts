import { and, eq, gt, isNull, or } from "drizzle-orm";
import { newToken, sha256 } from "../../core/crypto.ts";
import { conflict, invalid } from "../../core/errors.ts";
import { newIdAt } from "../../core/ids.ts";
import type { By, InOrganization } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import { ask } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { requireStepUp } from "../accounts/mfa/require-step-up.ts";
import { mayShare } from "./sharing.occasions.ts";
import { shareTokenEntity } from "./sharing.queries.ts";
import type { CreatedShareToken, NewShareToken } from "./sharing.schemas.ts";
import { shareTokens as table } from "./sharing.tables.ts";

/** Valid tokens for one subject. */
const mostTokens = 100;

/**
 * Creates a share token. Only the response contains it.
 *
 * @throws NOT_FOUND, FORBIDDEN as of the subject; VALIDATION_ERROR `expires_at` is in the past; CONFLICT too many tokens
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 */
export async function createShareToken(context: InOrganization, input: NewShareToken): Promise<CreatedShareToken> {
  const { actor, tenant } = context;
  await requireStepUp(context);
  return tenant.write(async (tx) => {
    await ask(tx, mayShare, { purpose: input.purpose, id: input.subject_id, actor });
    if (input.expires_at !== null && input.expires_at <= tx.now)
      throw invalid({ path: "expires_at", code: "impossible", message: "Must be in the future." });
    const isValid = and(isNull(table.revoked_at), or(isNull(table.expires_at), gt(table.expires_at, tx.now)));
    if ((await tx.$count(table, and(eq(table.subject_id, input.subject_id), isValid))) >= mostTokens)
      throw conflict("limit_reached", `There are at most ${mostTokens} valid tokens for one thing. Revoke one first.`, {
        max: mostTokens,
      });
    return issueShareToken(tx, context, input);
  });
}

/** Adds a share token. Does not check the actor. */
export async function issueShareToken(
  tx: Tx<"tenant">,
  by: By,
  input: NewShareToken,
  token = newToken(),
): Promise<CreatedShareToken> {
  const created_by = "userId" in by.actor ? by.actor.userId : null;
  const id = newIdAt<"share_token">(tx.now);
  const row = { id, ...input, token_hash: sha256(token), created_by, created_at: tx.now };
  const added = await addRow(tx, by, shareTokenEntity, { action: "share_token.created", row });
  return { ...added.value, token };
}
