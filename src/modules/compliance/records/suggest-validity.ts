import { type Actor, authorize } from "../../../core/actor.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { invalid } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { PersonRow } from "../../people/person-rules.ts";
import { type OtherLevel, otherLevelsAfter } from "../rules/other-levels.ts";
import type { Source, ValidityRule } from "../rules/rule.ts";
import { type Obstacle, validityAfter, validityRuleOf, wayOf } from "../rules/validity.ts";
import { typeByKey } from "../types/types.queries.ts";
import { type Holder, heldOn, inARow } from "./held.ts";
import { heldRecords } from "./records.queries.ts";
import type { SuggestionQuery } from "./records.schemas.ts";

interface Suggestion {
  valid_until: LegalDate | null;
  /** Why there is no suggestion. */
  reason: Obstacle | null;
  other_levels: OtherLevel[];
  /** Null: the suggestion is the type's `validity_months`. */
  source: Source | null;
}

type TenantReader = Reader<"tenant">;

/**
 * Suggests the expiry of a document: by the rule of its type and level, or by the type's `validity_months`.
 *
 * @throws FORBIDDEN for a person, only members who manage the records of people
 * @throws VALIDATION_ERROR an unknown type, person or aircraft; the person or the aircraft is missing on whom the validity depends
 */
export async function suggestValidity(reader: TenantReader, actor: Actor, query: SuggestionQuery): Promise<Suggestion> {
  // It tells about the person's age and records.
  if (query.person_id !== undefined) authorize(actor, "compliance:manage");
  const type = await typeByKey(reader, query.type);
  if (type === undefined) throw invalid({ path: "type", code: "unknown", message: "There is no such type." });
  const rule = validityRuleOf(query.type, query.level ?? null);
  if (rule !== undefined) return byRule(reader, rule, query);
  if (query.method !== undefined && query.method !== "check") return none("not_by_this_method", null);
  const done = Temporal.PlainDate.from(query.done_on);
  const until = type.validity_months === null ? null : toLegalDate(done.add({ months: type.validity_months }));
  return { valid_until: until, reason: null, other_levels: [], source: null };
}

const none = (reason: Obstacle, source: Source | null): Suggestion => ({
  valid_until: null,
  reason,
  other_levels: [],
  source,
});

async function byRule(reader: TenantReader, rule: ValidityRule, query: SuggestionQuery): Promise<Suggestion> {
  const { type, level = null, method, single_pilot_commercial } = query;
  const way = wayOf(rule, { method });
  const { born, ...holder } = await holderOf(reader, query);
  if (born === undefined && rule.periods.some(({ from_age }) => from_age !== undefined))
    throw invalid({ path: "person_id", code: "required", message: "The validity depends on the holder's age." });
  if (way?.in_a_row !== undefined && query.aircraft_id === undefined)
    throw invalid({ path: "aircraft_id", code: "required", message: "The validity depends on the records before." });
  const done_on = Temporal.PlainDate.from(query.done_on);
  const held = heldOn(holder, { any_of: [type], levels: level === null ? [] : [level] }, done_on);
  if (way?.only && held.state === "withdrawn") return none("not_held", rule.source);
  // Only what needs a valid document looks for it: every other one is the first, unless the caller says so.
  const previous = query.previous_until ?? (way?.only ? held.record?.valid_until : undefined);
  const date_of_birth = born ? Temporal.PlainDate.from(born) : undefined;
  const validity = validityAfter(rule, {
    done_on,
    date_of_birth,
    method,
    single_pilot_commercial,
    previous_until: previous ? Temporal.PlainDate.from(previous) : undefined,
    in_a_row: method && inARow(holder.records, { type, method, on: done_on }),
  });
  if (typeof validity === "string") return none(validity, rule.source);
  return {
    valid_until: validity.valid_until && toLegalDate(validity.valid_until),
    reason: null,
    other_levels: otherLevelsAfter({ type, level, done_on }, date_of_birth),
    source: rule.source,
  };
}

/** `born` is undefined if nobody was named, and null if it is not known. */
type Named = Holder & { born: PersonRow["date_of_birth"] | undefined };

async function holderOf(reader: TenantReader, { person_id, aircraft_id }: SuggestionQuery): Promise<Named> {
  if (person_id !== undefined) {
    const person = await findPersonRow(reader, person_id);
    if (person === undefined) throw unknown("person_id", "There is no such person.");
    const { date_of_birth } = person;
    return { born: date_of_birth, date_of_birth, records: await heldRecords(reader, { person_id, aircraft_id: null }) };
  }
  if (aircraft_id === undefined) return { born: undefined, records: [] };
  if ((await findAircraftRow(reader, aircraft_id)) === undefined)
    throw unknown("aircraft_id", "There is no such aircraft.");
  return { born: undefined, records: await heldRecords(reader, { person_id: null, aircraft_id }) };
}

const unknown = (path: string, message: string) => invalid({ path, code: "unknown", message });
