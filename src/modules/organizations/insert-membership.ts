import type { OrgId, UserId } from "../../core/ids.ts";
import { memberships } from "../../identity/identity.tables.ts";
import { inOrder, type Role } from "../../identity/roles.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { keepWords } from "../../storage/search-words.ts";
import type { Tx } from "../../storage/store.ts";
import { memberWords } from "./organizations.queries.ts";

interface NewMembership {
  orgId: OrgId;
  userId: UserId;
  roles: readonly Role[];
}

/** Inserts a membership. The caller has checked that the account may become a member. */
export async function insertMembership(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { orgId, userId, roles }: NewMembership,
): Promise<void> {
  const held = inOrder(roles);
  await tx.insert(memberships).values({ org_id: orgId, user_id: userId, roles: held, created_at: tx.now });
  await keepWords(tx, memberWords, [userId], orgId);
  await audit(tx, context, "member.added", {
    subject: { kind: "member", id: userId },
    orgId,
    after: { roles: held },
  });
}
