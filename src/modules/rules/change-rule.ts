import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import { audit } from "../../storage/audit.ts";
import type { By, TenantContext } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { type Action, isRuleKey, type RuleKey, ruleOf } from "./clearance-rules.ts";
import { actionOf, shownRule } from "./rules.queries.ts";
import type { ClearanceRule } from "./rules.schemas.ts";
import { clearanceRules } from "./rules.tables.ts";

/** Sets what happens if a rule is not met. @throws NOT_FOUND no such rule */
export async function changeRule(
  context: TenantContext,
  { rule: key, action }: { rule: string; action: Action },
): Promise<ClearanceRule> {
  authorize(context.actor, "clearance:manage");
  if (!isRuleKey(key)) throw notFound();
  return context.tenant.write((tx) => setAction(tx, context, key, action));
}

/** Posting: as `changeRule`. */
export async function setAction(tx: Tx<"tenant">, by: By, key: RuleKey, action: Action): Promise<ClearanceRule> {
  const before = shownRule(key, await actionOf(tx, key));
  const after = shownRule(key, action);
  await tx.delete(clearanceRules).where(eq(clearanceRules.key, key));
  if (action !== ruleOf(key).action) await tx.insert(clearanceRules).values({ key, action, updated_at: tx.now });
  await audit(tx, by, "clearance_rule.updated", { subject: { kind: "clearance_rule", id: key }, before, after });
  return after;
}
