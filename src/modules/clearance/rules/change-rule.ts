import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { ClearanceRule } from "../clearance.schemas.ts";
import { clearanceRules } from "../clearance.tables.ts";
import { type Action, isRuleKey, ruleOf } from "../clearance-rules.ts";
import { listRules, shownRule } from "./rules.queries.ts";

/** Sets what happens if a rule is not met. @throws NOT_FOUND no such rule */
export async function changeRule(
  context: TenantContext,
  { rule: key, action }: { rule: string; action: Action },
): Promise<ClearanceRule> {
  authorize(context.actor, "clearance:manage");
  if (!isRuleKey(key)) throw notFound();
  return context.tenant.write(async (tx) => {
    const before = (await listRules(tx)).find((rule) => rule.key === key);
    const after = shownRule(key, action);
    await tx.delete(clearanceRules).where(eq(clearanceRules.key, key));
    if (action !== ruleOf(key).action) await tx.insert(clearanceRules).values({ key, action, updated_at: tx.now });
    await audit(tx, context, "clearance_rule.updated", { subject: { kind: "clearance_rule", id: key }, before, after });
    return after;
  });
}
