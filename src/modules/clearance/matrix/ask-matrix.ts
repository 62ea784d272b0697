/**
 * The clearance of many people for all aircraft. Of an aircraft, what is against a person depends on its class alone (`PersonCase`), so
 * the rules are evaluated once for each aircraft, and for each person once for each class: not for each of thousands of pairs.
 */
import { authorize, type MemberActor } from "../../../core/actor.ts";
import { yieldingEvery } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import { JsonOf } from "../../../core/json-of.ts";
import { onceEach } from "../../../core/once.ts";
import type { Reader } from "../../../storage/store.ts";
import { laplLimits } from "../../compliance/rules/rules.ts";
import { rowsOfPeople } from "../../people/rows-of-people.queries.ts";
import { plannedUse } from "../ask-clearance.ts";
import { type Decision, decisionOf, type Finding, judgeAircraft } from "../judge.ts";
import { judgingFor } from "./judgement.ts";
import type { Matrix, MatrixQuery } from "./matrix.schemas.ts";
import { candidatesFor, fleetFacts, type Plane } from "./matrix-facts.queries.ts";

/** @throws FORBIDDEN; BAD_REQUEST the cursor is of another list */
export async function askMatrix(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { type, class: wanted, limit, cursor, function: onBoard, ...query }: MatrixQuery & { at: Instant },
): Promise<JsonOf<Matrix>> {
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
  const judgementOf = judgingFor(kinds, { school, use, onBoard });
  const columns = fleet.map((aircraft) => ({ aircraft, findings: judgeAircraft({ school, aircraft, use }) }));
  const decisionsOf = decisionsBy(kinds, columns);
  const pause = yieldingEvery();
  const people: string[] = [];
  for (const { id, name } of rows) {
    const candidate = candidates.get(id);
    if (candidate === undefined) continue;
    await pause();
    const { decided, reasons } = judgementOf(candidate);
    people.push(
      `{"id":"${id}","name":${JSON.stringify(name)},"decisions":${decisionsOf(decided)},"reasons":${reasons}}`,
    );
  }
  const aircraft = columns.map(({ aircraft: { id, registration, class: of, status }, findings }) => ({
    ...{ id, registration, class: of, status },
    reasons: findings.map(({ rule, action, message }) => ({ rule, action, message })),
  }));
  return new JsonOf(
    `{"function":"${onBoard}","at":"${query.at}","aircraft":${JSON.stringify(aircraft)},"people":[${people.join()}],"next_cursor":${JSON.stringify(next_cursor)}}`,
  );
}

interface Column {
  aircraft: Plane;
  /** What is against it, whoever flies it. */
  findings: readonly Finding[];
}

/**
 * Returns what makes the JSON of a person's decisions for all aircraft of those for each kind. Two people for whom each kind is decided
 * alike have the same text: thousands of cells are made from a few.
 */
function decisionsBy(kinds: readonly Plane[], columns: readonly Column[]) {
  const kindAt = new Map(kinds.map((aircraft, at) => [kindOf(aircraft), at]));
  const cells = columns.map(({ aircraft, findings }) => ({
    kind: kindAt.get(kindOf(aircraft)) ?? -1,
    decision: decisionOf(findings),
  }));
  return onceEach((decided: string): string => {
    const ofKinds = decided.split(" ") as Decision[];
    return JSON.stringify(cells.map(({ kind, decision }) => worse(decision, ofKinds[kind] ?? "block")));
  });
}

/** Aircraft alike in what a rule about a person asks: their class, and whether the holder of an LAPL may fly their mass. */
const kindOf = ({ class: type, mtom_kg }: Pick<Plane, "class" | "mtom_kg">): string =>
  `${type} ${(mtom_kg ?? 0) > laplLimits.mtom_kg}`;

const onePerKind = (planes: readonly Plane[]): Plane[] => [
  ...new Map(planes.map((plane) => [kindOf(plane), plane])).values(),
];

const worse = (one: Decision, other: Decision): Decision =>
  one === "block" || other === "block" ? "block" : one === "warn" ? one : other;
