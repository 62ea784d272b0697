/** The names of types of records: the console's for those that every school has, the school's for its own. */
import type { ComplianceRequirement, RecordType } from "../../api/operations.ts";
import { alternatives } from "../../app/alternatives.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";

export function nameOfType(types: readonly RecordType[], key: string): string {
  const type = types.find((one) => one.key === key);
  return (type?.built_in === false ? undefined : text().compliance.types[key]) ?? type?.name ?? key;
}

/** Returns the names of types that are enough each: `Class rating SEP or TMG`. */
export function useTypeNames(): (keys: readonly string[]) => string {
  const types = useResource("GET /orgs/{orgId}/compliance/types").data?.data ?? [];
  return (keys) =>
    alternatives(
      keys.map((key) => nameOfType(types, key)),
      text().compliance.or,
    );
}

export const levelName = (level: string): string => text().compliance.levels[level] ?? level;

/** Returns the names of requirements: `Medical certificate (Class 1 or Class 2)`. */
export function useRequirementNames(): (requirement: Pick<ComplianceRequirement, "any_of" | "levels">) => string {
  const nameOfTypes = useTypeNames();
  return ({ any_of, levels }) =>
    levels.length === 0
      ? nameOfTypes(any_of)
      : `${nameOfTypes(any_of)} (${levels.map(levelName).join(text().compliance.or)})`;
}
