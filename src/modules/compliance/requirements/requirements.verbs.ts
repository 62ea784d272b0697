import { invalid } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import type { complianceRequirements } from "../compliance.tables.ts";
import { reevaluateAll } from "../evaluations/evaluate.ts";
import { typeByKey } from "../types/types.queries.ts";
import { requirementEntity } from "./requirements.queries.ts";
import type { NewRequirement, RequirementChange } from "./requirements.schemas.ts";

const permission = "compliance:manage";

type Content = Pick<typeof complianceRequirements.$inferSelect, "applies_to" | "any_of" | "levels">;

/**
 * @param at where the requirement is in the body
 * @throws VALIDATION_ERROR a type is unknown, or of another kind of subject; none of the types has a level
 */
export async function checkTypes(
  reader: Reader<"tenant">,
  { applies_to, any_of, levels }: Content,
  at = "",
): Promise<void> {
  const known = new Set<string>();
  const subject = applies_to === "aircraft" || applies_to === "simulator" ? "aircraft" : "person";
  for (const [index, key] of any_of.entries()) {
    const type = await typeByKey(reader, key);
    if (type?.subject === subject) {
      for (const level of type.levels) known.add(level);
      continue;
    }
    const message = type ? `This type is of ${type.subject} records.` : "There is no such type.";
    throw invalid({ path: `${at}any_of.${index}`, code: "unknown", message });
  }
  const odd = levels.findIndex((level) => !known.has(level));
  if (odd >= 0)
    throw invalid({ path: `${at}levels.${odd}`, code: "unknown", message: "None of the types has this level." });
}

/** @throws VALIDATION_ERROR see `checkTypes` */
export const addRequirement = addVerb(requirementEntity, {
  permission,
  async row(tx, fresh, input: NewRequirement) {
    await checkTypes(tx, input);
    return { ...fresh, ...input };
  },
  also: reevaluateAll,
});

/** @throws VALIDATION_ERROR see `checkTypes` */
export const changeRequirement = changeVerb(requirementEntity, {
  permission,
  async set(tx, row, { change }: { change: RequirementChange }) {
    await checkTypes(tx, { ...row, ...change });
    return change;
  },
  also: reevaluateAll,
});

export const removeRequirement = removeVerb(requirementEntity, { permission, also: reevaluateAll });
