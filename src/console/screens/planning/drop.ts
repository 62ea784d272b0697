/** Sends what was dragged or typed, with a way back for ten seconds. */
import type { PlanningSession, PlanningSessionChange } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { change, type FieldWords, Undecided } from "../../app/change.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { failed } from "../../ui/failed.ts";
import { toast } from "../../ui/toast.tsx";
import { spanOf } from "../bookings/times.ts";
import { changeOf, type Draft } from "./drafts.ts";
import type { Row } from "./rows.ts";
import { refusalOf } from "./verdict.tsx";
import { planningText } from "./words.ts";

const template = "/orgs/{orgId}/planning/sessions/{sessionId}";

/** The fields of a session as two desks may have changed them. */
export function fieldsOf(rows: readonly Row[]): Record<string, FieldWords> {
  const words = planningText();
  const name = (value: unknown) => rows.find(({ id }) => id === value)?.name ?? String(value);
  const time = (value: unknown) => formatDateTime(String(value));
  return {
    start_at: { label: words.from, shown: time },
    end_at: { label: words.to, shown: time },
    aircraft_id: { label: words.aircraft, shown: name },
    instructor_id: { label: words.instructor, shown: name },
    room_id: { label: words.room, shown: name },
  };
}

/** @returns whether it was booked */
export async function drop(draft: Draft, rows: readonly Row[]): Promise<boolean> {
  const words = planningText();
  const { session } = draft;
  const body = changeOf(draft);
  if (!session || !body) return false;
  const isMoved = await move(session, body, rows);
  if (!isMoved) return false;
  const names = Object.keys(body) as (keyof PlanningSessionChange & keyof PlanningSession)[];
  const back = Object.fromEntries(names.map((one) => [one, session[one]])) as PlanningSessionChange;
  const span = spanOf(body.start_at ?? session.start_at, body.end_at ?? session.end_at);
  toast(words.moved(span), {
    label: text().actions.undo,
    run: async () => {
      if (await move({ ...session, ...body } as PlanningSession, back, rows)) toast(words.undone);
    },
  });
  return true;
}

async function move(session: PlanningSession, body: PlanningSessionChange, rows: readonly Row[]): Promise<boolean> {
  try {
    await change(template, { sessionId: session.id }, body, { before: session, fields: fieldsOf(rows) });
    await changed("/planning", "/today");
    return true;
  } catch (problem) {
    if (!(problem instanceof Undecided)) refuse(problem, rows, session);
    await changed("/planning/board");
    return false;
  }
}

/** Says what is against it, each rule of it. */
export function refuse(problem: unknown, rows: readonly Row[], session: PlanningSession): void {
  if (problem instanceof Problem && problem.reason === "booking_conflicts")
    toast(`${planningText().refused}. ${refusalOf(problem, [...rows, ...session.resources]).join(". ")}.`);
  else failed(problem);
}
