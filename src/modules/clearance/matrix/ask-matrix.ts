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
import { ruleOf } from "../../rules/clearance-rules.ts";
import { plannedUse } from "../ask-clearance.ts";
import type { AircraftClass } from "../facts/facts.shapes.ts";
import {
  type AnyClass,
  type Decision,
  decisionOf,
  type Finding,
  judgeAircraft,
  judgePayer,
  judgePerson,
} from "../judge.ts";
import type { Matrix, MatrixQuery } from "./matrix.schemas.ts";
import { type Candidate, candidatesFor, fleetFacts, type Plane } from "./matrix-facts.queries.ts";

/** @throws FORBIDDEN; BAD_REQUEST the cursor is of another list */
export async function askMatrix(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { type, class: wanted, limit, cursor, function: onBoard, ...query }: MatrixQuery & { at: Instant },
): Promise<Matrix> {
  authorize(actor, "compliance:read");
  const use = plannedUse(query);
  const { school, planes } = await fleetFacts(reader, use);
  const fleet = planes.filter((plane) => wanted === undefined || plane.class === wanted);
  const { rows, next_cursor } = await rowsOfPeople(reader, { type, limit, cursor });
  const ids = rows.map(({ id }) => id);
  const candidates = await candidatesFor(reader, ids, { use, onBoard, school });
  const columns = fleet.map((plane) => ({ plane, findings: judgeAircraft({ school, aircraft: plane, use }) }));
  const classes = onePerClass(fleet);
  const pause = yieldingEvery();
  const people: Matrix["people"] = [];
  for (const { id, name } of rows) {
    const candidate = candidates.get(id);
    if (candidate === undefined) continue;
    await pause();
    const anyClass: AnyClass = new Map();
    const found = new Map(
      classes.map((aircraft) => [
        kindOf(aircraft),
        { type: aircraft.class, findings: against(candidate, { school, aircraft, use }, onBoard, anyClass) },
      ]),
    );
    const decisions = columns.map(({ plane, findings }) =>
      worse(decisionOf(findings), decisionOf(found.get(kindOf(plane))?.findings ?? [])),
    );
    people.push({ id, name, decisions, reasons: byReason(found) });
  }
  return {
    function: onBoard,
    at: query.at,
    aircraft: columns.map(({ plane: { id, registration, class: of, status }, findings }) => ({
      ...{ id, registration, class: of, status },
      reasons: findings.map(({ rule, action, message }) => ({ rule, action, message })),
    })),
    people,
    next_cursor,
  };
}

const onePerClass = (planes: readonly Plane[]): Plane[] => [
  ...new Map(planes.map((plane) => [kindOf(plane), plane])).values(),
];

/** Aircraft alike in what a rule about a person asks: their class, and whether the holder of an LAPL may fly their mass. */
const kindOf = ({ class: type, mtom_kg }: Pick<Plane, "class" | "mtom_kg">): string =>
  `${type} ${(mtom_kg ?? 0) > laplLimits.mtom_kg}`;

type Facts = Parameters<typeof judgePerson>[0];

const against = (
  { person, payer }: Candidate,
  facts: Facts,
  onBoard: MatrixQuery["function"],
  known: AnyClass,
): Finding[] =>
  [...judgePerson(facts, person, onBoard, known), ...judgePayer({ ...facts, payer })].filter(
    ({ rule }) => !ruleOf(rule).of_one_flight,
  );

const worse = (one: Decision, other: Decision): Decision =>
  one === "block" || other === "block" ? "block" : one === "warn" ? one : other;

interface Found {
  type: AircraftClass;
  findings: readonly Finding[];
}

/** Returns each reason once, with the classes for which it counts. Two that read the same are two: of two requirements. */
function byReason(found: ReadonlyMap<string, Found>): Matrix["people"][number]["reasons"] {
  const reasons = new Map<string, Matrix["people"][number]["reasons"][number]>();
  for (const { type, findings } of found.values()) {
    const alike = new Map<string, number>();
    for (const { rule, action, message } of findings) {
      const said = `${rule} ${message}`;
      const number = (alike.get(said) ?? 0) + 1;
      alike.set(said, number);
      const known = reasons.get(`${number} ${said}`);
      if (known === undefined) reasons.set(`${number} ${said}`, { rule, action, message, classes: [type] });
      else if (!known.classes.includes(type)) known.classes.push(type);
    }
  }
  return [...reasons.values()];
}
