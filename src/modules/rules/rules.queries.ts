import { eq } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import type { Reader } from "../../storage/store.ts";
import { type Action, isRuleKey, type RuleKey, ruleKeys, ruleOf } from "./clearance-rules.ts";
import type { ClearanceRule } from "./rules.schemas.ts";
import { clearanceRules } from "./rules.tables.ts";

/** Returns all rules with the actions of the school. */
export async function listRules(reader: Reader<"tenant">): Promise<ClearanceRule[]> {
  const changed = await reader.select().from(clearanceRules);
  const actions = new Map(changed.map(({ key, action }) => [key, action]));
  return ruleKeys.map((key) => shownRule(key, actions.get(key) ?? ruleOf(key).action));
}

/** Returns a rule with the action of the school. @throws NOT_FOUND no such rule */
export async function findRule(reader: Reader<"tenant">, key: string): Promise<ClearanceRule> {
  if (!isRuleKey(key)) throw notFound();
  return shownRule(key, await actionOf(reader, key));
}

/** Returns the action of the school. */
export async function actionOf(reader: Reader<"tenant">, key: RuleKey): Promise<Action> {
  const [changed] = await reader.select().from(clearanceRules).where(eq(clearanceRules.key, key));
  return changed?.action ?? ruleOf(key).action;
}

export function shownRule(key: RuleKey, action: Action): ClearanceRule {
  const { title, action: default_action, source } = ruleOf(key);
  return { key, title, action, default_action, source };
}
