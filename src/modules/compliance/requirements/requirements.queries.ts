import { idOf, stampsOut } from "../../../http/fields.ts";
import { rowShape } from "../../../storage/columns.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import { complianceRequirements as table } from "../compliance.tables.ts";
import { requirementFields } from "./requirements.schemas.ts";

export const requirement = rowShape("ComplianceRequirement", table, {
  id: idOf<"requirement">(),
  ...requirementFields,
  ...stampsOut,
});

export const requirementEntity = entityOf("compliance_requirement", {
  table,
  shape: requirement,
  path: { requirementId: table.id },
});

/** Returns JSON text, the oldest first. */
export const listRequirements = listOf(requirement, { from: table, orderBy: ascending(requirement, "id") });
