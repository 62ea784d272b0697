/** Checks a record against its type. */
import { toLegalDate } from "../../../core/dates.ts";
import { type Issue, invalid, throwIfAny } from "../../../core/errors.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { complianceTypes } from "../compliance.tables.ts";
import { subjectOf } from "../evaluations/evaluations.queries.ts";
import { levelsWithin } from "../rules/other-levels.ts";
import { validityRuleOf, wayOf } from "../rules/validity.ts";
import { typeByKey } from "../types/types.queries.ts";
import { inARow } from "./held.ts";
import { heldRecords } from "./records.queries.ts";
import type { NewRecord } from "./records.schemas.ts";

type Content = Omit<NewRecord, "supersedes">;
type RecordType = typeof complianceTypes.$inferSelect;

/** @throws VALIDATION_ERROR an unknown type, person or aircraft, a level that the type does not have, impossible dates */
export async function checkRecord(tx: Tx<"tenant">, content: Content): Promise<void> {
  const type = await typeByKey(tx, content.type);
  if (type === undefined) throw invalid({ path: "type", code: "unknown", message: "There is no such type." });
  const issues = [
    ...subjectIssues(type, content),
    ...levelIssues(type, content),
    ...dateIssues(content, toLegalDate(await today(tx, tx.now))),
    ...expiryIssues(type, content),
    ...otherLevelIssues(content),
    ...methodIssues(content),
    ...medicalIssues(content),
  ];
  throwIfAny(issues);
  await requireSubject(tx, content);
  await requireNotTooMany(tx, content);
}

function* subjectIssues({ subject }: RecordType, { person_id, aircraft_id }: Content): Generator<Issue> {
  const [wanted, other] =
    subject === "person" ? (["person_id", "aircraft_id"] as const) : (["aircraft_id", "person_id"] as const);
  const given = { person_id, aircraft_id };
  if (given[wanted] === null)
    yield { path: wanted, code: "required", message: `A record of this type needs the ${subject}.` };
  if (given[other] !== null)
    yield {
      path: other,
      code: "not_allowed",
      message: `A record of this type is of ${subject === "person" ? "a person" : "an aircraft"}.`,
    };
}

function* levelIssues({ levels }: RecordType, { level }: Content): Generator<Issue> {
  if (levels.length === 0 && level !== null)
    yield { path: "level", code: "not_allowed", message: "This type has no levels." };
  if (levels.length > 0 && (level === null || !levels.includes(level)))
    yield { path: "level", code: "unknown", message: `Must be one of ${levels.join(", ")}.` };
}

function* dateIssues({ issued_on, valid_until }: Content, date: string): Generator<Issue> {
  if (issued_on > date) yield { path: "issued_on", code: "in_future", message: "Must not be after today." };
  if (valid_until !== null && valid_until < issued_on)
    yield { path: "valid_until", code: "out_of_order", message: "Must not be before `issued_on`." };
}

function* expiryIssues({ key, valid_until_required }: RecordType, { level, valid_until }: Content): Generator<Issue> {
  if (!valid_until_required || valid_until !== null) return;
  const isUnlimited = validityRuleOf(key, level)?.periods.every(({ months }) => months === null) === true;
  if (!isUnlimited)
    yield {
      path: "valid_until",
      code: "required",
      message: "A record of this type needs the last day on which it is valid.",
    };
}

function* otherLevelIssues({ type, level, issued_on, other_levels }: Content): Generator<Issue> {
  const known = levelsWithin(type, level);
  for (const [index, other] of other_levels.entries()) {
    const path = `other_levels.${index}`;
    const isNamedBefore = other_levels.findIndex((one) => one.level === other.level) < index;
    if (!known.includes(other.level) || isNamedBefore)
      yield { path: `${path}.level`, code: "unknown", message: otherLevelMessage(known) };
    if (other.valid_until < issued_on)
      yield { path: `${path}.valid_until`, code: "out_of_order", message: "Must not be before `issued_on`." };
  }
}

const otherLevelMessage = (known: readonly string[]) =>
  known.length === 0 ? "A document of this level has no others." : `Must be one of ${known.join(", ")}, each once.`;

function* methodIssues({ type, level, method }: Content): Generator<Issue> {
  const rule = validityRuleOf(type, level);
  if (method !== null && (rule === undefined || wayOf(rule, { method }) === undefined))
    yield { path: "method", code: "not_allowed", message: "A record of this type is not made valid by this method." };
}

/** Medicals are health data: the class and the dates are enough. */
function* medicalIssues({ type, number, issued_by, remarks, method }: Content): Generator<Issue> {
  if (type !== "medical") return;
  for (const [path, value] of Object.entries({ number, issued_by, remarks, method }))
    if (value !== null) yield { path, code: "not_allowed", message: "A medical has a class and dates only." };
}

/** @throws VALIDATION_ERROR the method was used too often in a row: an ARC is extended twice at most (ML.A.901 (c)) */
async function requireNotTooMany(tx: Tx<"tenant">, content: Content): Promise<void> {
  const { type, level, method, issued_on } = content;
  const rule = validityRuleOf(type, level);
  const most = rule && method && wayOf(rule, { method })?.in_a_row;
  if (!most || !method) return;
  const held = await heldRecords(tx, subjectOf(content));
  const on = Temporal.PlainDate.from(issued_on);
  if (inARow(held, { type, method, on }) < most) return;
  const message = `At most ${most} in a row are by ${method}.`;
  throw invalid({ path: "method", code: "impossible", message });
}

async function requireSubject(tx: Tx<"tenant">, { person_id, aircraft_id }: Content): Promise<void> {
  const person = person_id === null ? undefined : await findPersonRow(tx, person_id);
  if (person_id !== null && person === undefined)
    throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
  if (person?.erased_at)
    throw invalid({ path: "person_id", code: "erased", message: "The person's data was erased. Add the person anew." });
  if (aircraft_id !== null && (await findAircraftRow(tx, aircraft_id)) === undefined)
    throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
}
