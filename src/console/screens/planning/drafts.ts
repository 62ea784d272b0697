/** What is being chosen on the board: another time or row for a session, or a time for a new one. Nothing is sent until it is dropped. */
import { batch, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PlanningSession, PlanningSessionChange } from "../../api/operations.ts";
import { createAsker, type Preview } from "./asking.ts";
import { atRest } from "./at-rest.ts";
import { fieldOf, keyOf, type RowRef } from "./rows.ts";

export interface Draft {
  /** `undefined`: a new one. */
  session: PlanningSession | undefined;
  /** The row where it was taken. */
  from: RowRef;
  row: RowRef;
  start: number;
  end: number;
}

export interface Drafts {
  draft: Signal<Draft | undefined>;
  /** The same as it is written and asked about: ten times a second at most, for nobody reads faster, and text is dear to draw. */
  written: Signal<Draft | undefined>;
  preview: Signal<Preview>;
  /** The same as it is told below the board: an answer is told once the hand rests, for nobody reads while they move, and to draw it takes longer than a frame. */
  told: ReadonlySignal<Preview>;
  /** Whether there was something to tell of what is written since it was taken. */
  answered: ReadonlySignal<boolean>;
  /** The hand that holds it moved. */
  moved(): void;
  set(draft: Draft): void;
  clear(): void;
}

/** All is booked in quarters of an hour; in the dialog to the minute. */
export const quarter = 15 * 60_000;
export const snapped = (at: number): number => Math.round(at / quarter) * quarter;

const iso = (at: number): string => new Date(at).toISOString();

/** The fields that the draft changes; `undefined` if there are none. */
export function changeOf({ session, from, row, start, end }: Draft): PlanningSessionChange | undefined {
  if (!session) return undefined;
  const change: PlanningSessionChange = {
    ...(start !== Date.parse(session.start_at) && { start_at: iso(start) }),
    ...(end !== Date.parse(session.end_at) && { end_at: iso(end) }),
    ...(row.id !== from.id && row.type !== "none" && { [fieldOf[row.type]]: row.id }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

const isSame = (one: Draft, other: Draft | undefined): boolean =>
  one.start === other?.start && one.end === other.end && keyOf(one.row) === keyOf(other.row);

/** Milliseconds between two times that are written. */
const pause = 100;

export function createDrafts(): Drafts {
  const draft = signal<Draft | undefined>(undefined);
  const written = signal<Draft | undefined>(undefined);
  const told = signal<Preview>({ kind: "none" });
  const answered = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  const { preview, wait, ask } = createAsker();
  const write = () => {
    timer = undefined;
    const now = draft.peek();
    const body = now && changeOf(now);
    batch(() => {
      written.value = now;
      ask(now?.session && body && { sessionId: now.session.id, body });
    });
  };
  effect(() => {
    const next = preview.value;
    const tell = () => {
      told.value = next;
    };
    if (next.kind === "none" || next.kind === "asking") return tell();
    return atRest(() => movedAt, tell);
  });
  effect(() => {
    if (written.value === undefined) answered.value = false;
    else if (told.value.kind !== "asking") answered.value = true;
  });
  return {
    ...{ draft, written, preview, told, answered },
    moved() {
      movedAt = performance.now();
    },
    set(next) {
      // Within a quarter of an hour nothing is drawn anew.
      if (isSame(next, draft.peek())) return;
      draft.value = next;
      if (next.session) wait();
      timer ??= setTimeout(write, pause);
    },
    clear() {
      clearTimeout(timer);
      draft.value = undefined;
      write();
    },
  };
}
