/** The rows of the board, what is on each, and when it can't be booked. */
import type { PlanningBoard, PlanningResources, PlanningSession } from "../../api/operations.ts";

export type RowType = "aircraft" | "instructor" | "room" | "none";

export interface RowRef {
  type: RowType;
  /** Empty for `none`: what takes up no row. */
  id: string;
}

export interface Bar {
  session: PlanningSession;
  start: number;
  end: number;
  /** Below how many others it is drawn, at the same time. */
  lane: number;
  /** Why it can't take place as things are; empty: nothing is known against it. */
  against: readonly Because[];
}

export type Because = NonNullable<PlanningBoard["busy"][number]["because"]>;

export interface Busy {
  start: number;
  end: number;
  because: Because | null;
}

/** What is said at the head of a row. */
export type RowState = Extract<Because, "grounded" | "out_of_service" | "absence">;

export interface Row extends RowRef {
  name: string;
  detail: string | undefined;
  /** Why it can't be used at all: an aircraft in some of the time that is shown, somebody who is away in all of it. */
  state: RowState | undefined;
  bars: readonly Bar[];
  /** How many bars are drawn one below the other. */
  lanes: number;
  busy: readonly Busy[];
}

export const keyOf = ({ type, id }: RowRef): string => `${type}:${id}`;

export const fieldOf = { aircraft: "aircraft_id", instructor: "instructor_id", room: "room_id" } as const;

const isOn = (session: PlanningSession, { type, id }: RowRef): boolean =>
  type === "none" ? isNowhere(session) : session[fieldOf[type]] === id;

/** Students alone: a lesson of theory in no room. */
const isNowhere = (session: PlanningSession): boolean =>
  session.aircraft_id === null && session.instructor_id === null && session.room_id === null;

/** Until it is checked in, something may stand against it. */
const isAhead = ({ status }: PlanningSession): boolean => status === "requested" || status === "planned";

/** @param whole the time that is shown */
export function rowsOf(
  resources: PlanningResources,
  board: PlanningBoard,
  words: { others: string },
  whole: { from: number; to: number },
): Row[] {
  const refs: Pick<Row, "type" | "id" | "name" | "detail">[] = [
    ...resources.aircraft.map(({ id, registration, model }) => ({
      ...{ type: "aircraft" as const, id, name: registration, detail: model },
    })),
    ...resources.instructors.map(({ id, name }) => ({ type: "instructor" as const, id, name, detail: undefined })),
    ...resources.rooms.map(({ id, name }) => ({ type: "room" as const, id, name, detail: undefined })),
  ];
  if (board.sessions.some(isNowhere)) refs.push({ type: "none", id: "", name: words.others, detail: undefined });
  const busyOf = Map.groupBy(board.busy, ({ type, resource_id }) => `${type}:${resource_id}`);
  const timesOf = (key: string): Busy[] =>
    (busyOf.get(key) ?? []).map(({ start_at, end_at, because }) => ({
      ...{ start: Date.parse(start_at), end: Date.parse(end_at), because },
    }));
  const against = (session: PlanningSession): Because[] => {
    if (!isAhead(session)) return [];
    const [start, end] = [Date.parse(session.start_at), Date.parse(session.end_at)];
    const keys = [
      ...(session.kind === "maintenance" ? [] : [`aircraft:${session.aircraft_id}`]),
      `instructor:${session.instructor_id}`,
    ];
    const reasons = keys.flatMap((key) =>
      timesOf(key).flatMap((busy) => (busy.start < end && busy.end > start && busy.because ? [busy.because] : [])),
    );
    return [...new Set(reasons)];
  };
  const reasonsOf = new Map(board.sessions.map((session) => [session.id, against(session)]));
  return refs.map((ref) => {
    const sessions = board.sessions.filter((session) => isOn(session, ref));
    const bars = inLanes(sessions, reasonsOf);
    const busy = timesOf(keyOf(ref));
    return { ...ref, bars, lanes: Math.max(1, ...bars.map(({ lane }) => lane + 1)), busy, state: stateOf(busy, whole) };
  });
}

function stateOf(busy: readonly Busy[], { from, to }: { from: number; to: number }): RowState | undefined {
  const isFor = (because: RowState) => busy.some((one) => one.because === because);
  if (isFor("grounded")) return "grounded";
  if (isFor("out_of_service")) return "out_of_service";
  const isAway = busy.some(({ because, start, end }) => because === "absence" && start <= from && end >= to);
  return isAway ? "absence" : undefined;
}

function inLanes(sessions: readonly PlanningSession[], reasons: ReadonlyMap<string, readonly Because[]>): Bar[] {
  const ends: number[] = [];
  return sessions.map((session) => {
    const [start, end] = [Date.parse(session.start_at), Date.parse(session.end_at)];
    const free = ends.findIndex((taken) => taken <= start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = end;
    return { session, start, end, lane, against: reasons.get(session.id) ?? [] };
  });
}

/** What a bar says in a row: who flies or learns, and below it with what and whom, and what for. */
export function labelOf(session: PlanningSession, { id, type }: RowRef): { main: string; more: string } {
  const named = (...types: readonly PlanningSession["resources"][number]["type"][]) =>
    types.flatMap((one) =>
      session.resources
        .filter((resource) => resource.type === one && !(one === type && resource.id === id))
        .map(({ name }) => name),
    );
  const words = [session.lesson_name ?? session.title].filter((text) => text !== null);
  const students = named("student");
  const all = [...students, ...named("aircraft", "instructor", "room"), ...words];
  const main = students.length > 0 ? students.join(", ") : (all[0] ?? "");
  return { main, more: all.slice(Math.max(students.length, 1)).join(" · ") };
}

/** A name in two letters, where there is no room for more. */
export const initialsOf = (name: string): string =>
  (name.includes(" ") ? name.split(/[\s,]+/u).map(([first = ""]) => first) : [...name]).slice(0, 2).join("");

/** Why something is not free: what lasts longest is said, and what a booking can pass over last. */
const weights = ["grounded", "out_of_service", "absence", "taken", "hours"] as const;
type Why = (typeof weights)[number];

/**
 * Returns why something is not free for all of a time: `taken` by a booking, or the reader may not know; `undefined` if it is free.
 *
 * @param except a session that does not count
 */
export function whyNotFree(row: Row, start: number, end: number, except?: string): Why | undefined {
  const isIn = (one: { start: number; end: number }) => one.start < end && one.end > start;
  const found = new Set<Why>(row.busy.filter(isIn).map(({ because }) => because ?? "taken"));
  const counts = ({ session }: Bar) => session.id !== except && session.status !== "completed";
  if (row.bars.some((bar) => isIn(bar) && counts(bar))) found.add("taken");
  return weights.find((why) => found.has(why));
}
