import { conflict } from "../../core/errors.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeRow } from "../../storage/entity.ts";
import { requireOwnShareToken, shareTokenEntity } from "./sharing.queries.ts";
import type { ShareToken } from "./sharing.schemas.ts";
import type { ShareTokenId } from "./sharing.tables.ts";

/** Revokes a share token at once. @throws NOT_FOUND; CONFLICT it is revoked already */
export const revokeShareToken = (
  context: InOrganization,
  { shareTokenId }: { shareTokenId: ShareTokenId },
): Promise<JsonOf<ShareToken>> =>
  context.tenant.write(async (tx) => {
    const { id, revoked_at } = await requireOwnShareToken(tx, shareTokenId, context.actor);
    if (revoked_at !== null)
      throw conflict("wrong_status", "The share token is revoked already.", { status: "revoked" });
    const set = { revoked_at: tx.now };
    return changeRow(tx, context, shareTokenEntity, { id, action: "share_token.revoked", set });
  });
