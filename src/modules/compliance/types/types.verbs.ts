import { conflict } from "../../../core/errors.ts";
import { addVerb, changeVerb, removeVerb } from "../../../storage/verbs.ts";
import type { RecordTypeId } from "../compliance.tables.ts";
import { reevaluateAll } from "../evaluations/evaluate.ts";
import { moveNotices } from "../records/expiry-notices.ts";
import { isInUse, typeByKey, typeEntity } from "./types.queries.ts";
import type { NewRecordType, RecordTypeChange } from "./types.schemas.ts";

const permission = "compliance:manage";

/** @throws CONFLICT another type has the key */
export const addType = addVerb(typeEntity, {
  permission,
  async row(tx, fresh, input: NewRecordType) {
    if (await typeByKey(tx, input.key)) throw conflict("type_key_taken", "There is already a type with this key.");
    return { ...fresh, ...input, built_in: false };
  },
});

/** @throws CONFLICT the type is built in, and more than its warning would change */
export const changeType = changeVerb(typeEntity, {
  permission,
  async set(_tx, { built_in }, { change }: { change: RecordTypeChange }) {
    const { warning_days: _, ...others } = change;
    if (built_in && Object.keys(others).length > 0)
      throw conflict("type_built_in", "Only the `warning_days` of a built-in type can change.");
    return change;
  },
  async also(tx, id: RecordTypeId) {
    await reevaluateAll(tx);
    await moveNotices(tx, id);
  },
});

/** @throws CONFLICT the type is built in, has records, or is named by a requirement */
export const removeType = removeVerb(typeEntity, {
  permission,
  async also(tx, { key, built_in }) {
    if (built_in) throw conflict("type_built_in", "A built-in type can't be removed.");
    if (await isInUse(tx, key))
      throw conflict("type_in_use", "There are records of this type, or a requirement names it.");
  },
});
