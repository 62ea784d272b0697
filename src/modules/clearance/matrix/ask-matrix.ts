/**
 * The clearance of many people for all aircraft. Of an aircraft, what is against a person depends on its class alone (`PersonCase`), so
 * the rules are evaluated once for each aircraft, and for each person once for each class: not for each of thousands of pairs.
 */
import { authorize, type MemberActor } from "../../../core/actor.ts";
import { yieldingEvery } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import { laplLimits } from "../../compliance/rules/rules.ts";
import { rowsOfPeople } from "../../people/rows-of-people.queries.ts";
import { plannedUse } from "../ask-clearance.ts";
import { dependsOnClass } from "../checks/person-checks.ts";
import type { AircraftClass } from "../facts/facts.shapes.ts";
import { type AnyClass, type Decision, decisionOf, type Finding, judgeAircraft, judgingEach } from "../judge.ts";
import type { Matrix, MatrixQuery } from "./matrix.schemas.ts";
import { candidatesFor, fleetFacts, type Plane } from "./matrix-facts.queries.ts";

/** @throws FORBIDDEN; BAD_REQUEST the cursor is of another list */
export async function askMatrix(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { type, class: wanted, limit, cursor, function: onBoard, ...query }: MatrixQuery & { at: Instant },
): Promise<Matrix> {
  authorize(actor, "compliance:read");
  const use = plannedUse(query);
  const [{ school, planes }, { rows, next_cursor }] = await Promise.all([
    fleetFacts(reader, use),
    rowsOfPeople(reader, { type, limit, cursor }),
  ]);
  const ids = rows.map(({ id }) => id);
  const candidates = await candidatesFor(reader, ids, { use, onBoard, school });
  const fleet = planes.filter((plane) => wanted === undefined || plane.class === wanted);
  const kinds = onePerKind(fleet);
  const judges = kinds.map((aircraft) => judgingEach({ school, aircraft, use }, onBoard));
  const kindAt = new Map(kinds.map((aircraft, at) => [kindOf(aircraft), at]));
  const columns = fleet.map((aircraft) => {
    const findings = judgeAircraft({ school, aircraft, use });
    return { aircraft, kind: kindAt.get(kindOf(aircraft)) ?? -1, findings, decision: decisionOf(findings) };
  });
  const pause = yieldingEvery();
  const people: Matrix["people"] = [];
  for (const { id, name } of rows) {
    const candidate = candidates.get(id);
    if (candidate === undefined) continue;
    await pause();
    const anyClass: AnyClass = new Map();
    const found = judges.map((judge) => judge(candidate, anyClass));
    const decided = found.map(decisionOf);
    const decisions = columns.map(({ kind, decision }) => worse(decision, decided[kind] ?? "block"));
    people.push({ id, name, decisions, reasons: byReason(kinds, found) });
  }
  return {
    function: onBoard,
    at: query.at,
    aircraft: columns.map(({ aircraft: { id, registration, class: of, status }, findings }) => ({
      ...{ id, registration, class: of, status },
      reasons: findings.map(({ rule, action, message }) => ({ rule, action, message })),
    })),
    people,
    next_cursor,
  };
}

/** Aircraft alike in what a rule about a person asks: their class, and whether the holder of an LAPL may fly their mass. */
const kindOf = ({ class: type, mtom_kg }: Pick<Plane, "class" | "mtom_kg">): string =>
  `${type} ${(mtom_kg ?? 0) > laplLimits.mtom_kg}`;

const onePerKind = (planes: readonly Plane[]): Plane[] => [
  ...new Map(planes.map((plane) => [kindOf(plane), plane])).values(),
];

const worse = (one: Decision, other: Decision): Decision =>
  one === "block" || other === "block" ? "block" : one === "warn" ? one : other;

type Reason = Matrix["people"][number]["reasons"][number];

/**
 * Returns each reason once, with the classes for which it counts: what was found for aircraft of any class is the same finding of each,
 * though two may read the same, of two requirements; the others are the same if they read the same.
 */
function byReason(kinds: readonly { class: AircraftClass }[], found: readonly (readonly Finding[])[]): Reason[] {
  const reasons = new Map<Finding | string, Reason>();
  for (const [at, { class: type }] of kinds.entries())
    for (const finding of found[at] ?? []) {
      const { rule, action, message } = finding;
      const key = dependsOnClass(rule) ? `${rule} ${message}` : finding;
      const known = reasons.get(key);
      if (known === undefined) reasons.set(key, { rule, action, message, classes: [type] });
      else if (!known.classes.includes(type)) known.classes.push(type);
    }
  return [...reasons.values()];
}
