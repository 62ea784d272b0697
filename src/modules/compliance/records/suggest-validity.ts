import { type Actor, authorize } from "../../../core/actor.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { invalid } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { Source } from "../rules/rule.ts";
import { validityAfter, validityRuleOf } from "../rules/validity.ts";
import { typeByKey } from "../types/types.queries.ts";
import type { SuggestionQuery } from "./records.schemas.ts";

interface Suggestion {
  valid_until: LegalDate | null;
  /** Null: the suggestion is the type's `validity_months`. */
  source: Source | null;
}

/**
 * Suggests the expiry of a document: by the rule of its type and level, or by the type's `validity_months`.
 *
 * @throws FORBIDDEN for a person, only members who manage the records of people
 * @throws VALIDATION_ERROR an unknown type or person; the validity depends on the holder's age, which is unknown
 */
export async function suggestValidity(
  reader: Reader<"tenant">,
  actor: Actor,
  query: SuggestionQuery,
): Promise<Suggestion> {
  // It tells about the person's age.
  if (query.person_id !== undefined) authorize(actor, "compliance:manage");
  const type = await typeByKey(reader, query.type);
  if (type === undefined) throw invalid({ path: "type", code: "unknown", message: "There is no such type." });
  const done = Temporal.PlainDate.from(query.done_on);
  const rule = validityRuleOf(query.type, query.level ?? null);
  if (rule === undefined) {
    const until = type.validity_months === null ? null : toLegalDate(done.add({ months: type.validity_months }));
    return { valid_until: until, source: null };
  }
  const { valid_until } = validityAfter(rule, {
    done_on: done,
    previous_until: query.previous_until === undefined ? undefined : Temporal.PlainDate.from(query.previous_until),
    date_of_birth: query.person_id === undefined ? undefined : await birthOf(reader, query.person_id),
    method: query.method,
    single_pilot_commercial: query.single_pilot_commercial,
  });
  return { valid_until: valid_until && toLegalDate(valid_until), source: rule.source };
}

async function birthOf(reader: Reader<"tenant">, id: PersonId): Promise<Temporal.PlainDate | undefined> {
  const person = await findPersonRow(reader, id);
  if (person === undefined) throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
  return person.date_of_birth === null ? undefined : Temporal.PlainDate.from(person.date_of_birth);
}
