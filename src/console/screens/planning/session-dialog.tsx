/** The form of a booking, new or changed. While it is filled in, it says who and what is free, and what the booking would answer. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { NewPlanningSession, PlanningSession } from "../../api/operations.ts";
import { change } from "../../app/change.ts";
import { zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { clockAt, dayAfter, instantAt } from "../../app/local-time.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { failed } from "../../ui/failed.ts";
import { CheckField, Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useNextLessons } from "../bookings/next-lessons.tsx";
import { createAsker } from "./asking.ts";
import type { Draft } from "./drafts.ts";
import { fieldsOf } from "./drop.ts";
import { type Row, whyNotFree } from "./rows.ts";
import type { Scale } from "./scale.ts";
import { type Repeat, RepeatFields, seriesOf, useRepeat } from "./series.tsx";
import { Students } from "./students.tsx";
import { saidOf, Verdict } from "./verdict.tsx";
import { planningText } from "./words.ts";

export interface SessionDialogProps {
  rows: readonly Row[];
  scale: Scale;
  draft?: Draft;
  /** For whom it is begun. */
  student?: string | undefined;
  session?: PlanningSession;
  onClose: () => void;
}

const kinds = ["lesson", "flight", "ground", "maintenance", "other"] as const;
type Kind = (typeof kinds)[number];

/** What is usual in a row. */
const kindIn: Record<Row["type"], Kind> = { aircraft: "lesson", instructor: "lesson", room: "ground", none: "other" };

interface Entry {
  kind: Signal<string>;
  on: Signal<string>;
  from: Signal<string>;
  to: Signal<string>;
  aircraft: Signal<string>;
  instructor: Signal<string>;
  room: Signal<string>;
  students: Signal<readonly string[]>;
  lesson: Signal<string>;
  night: Signal<boolean>;
  title: Signal<string>;
  notes: Signal<string>;
}

export default function SessionDialog({ rows, scale, draft, student, session, onClose }: SessionDialogProps) {
  const words = planningText();
  const { today, actions } = text();
  const entry = useEntry(draft, session, student);
  const kind = entry.kind.value as Kind;
  const asker = useMemo(createAsker, []);
  const preview = asker.preview.value;
  const body = bodyOf(entry);
  const key = JSON.stringify(body);
  const isComplete = body !== undefined && isTried(body);
  useEffect(() => {
    if (!isComplete) asker.ask(undefined);
    else if (session) {
      const { kind: _, ...change } = body;
      asker.ask({ sessionId: session.id, body: change });
    } else asker.ask({ body });
  }, [key, isComplete]);
  const [start, end] = [Date.parse(body?.start_at ?? ""), Date.parse(body?.end_at ?? "")];
  const lessons = useNextLessons(entry.students.value[0] ?? "");
  const programs = new Set(lessons.map(({ program }) => program));
  const named = [...rows, ...(session?.resources ?? [])];

  const repeat = useRepeat(entry.on.value, dayAfter(entry.on.peek(), 28), key);
  const sendSeries = async () => {
    if (!body) return;
    const { start_at: _, end_at: __, ...once } = body;
    const first = { day: entry.on.value, time: entry.from.value, minutes: (end - start) / 60_000 };
    const isShown = repeat.tried.value !== undefined;
    const { data } = await call("POST /orgs/{orgId}/planning/series", {
      body: seriesOf(once, repeat, first, !isShown),
    });
    if (!isShown) {
      repeat.tried.value = data;
      return;
    }
    onClose();
    await changed("/planning", "/today");
    toast(words.repeat.done(data.sessions.length));
  };

  const send = async () => {
    if (!body) return;
    if (repeat.isOn.value) return sendSeries();
    if (session) {
      const { kind: _, ...change_ } = body;
      const fields = { ...fieldsOf(rows), ...labels(words) };
      const path = { sessionId: session.id };
      await change("/orgs/{orgId}/planning/sessions/{sessionId}", path, changedOf(change_, session), {
        ...{ before: session, fields },
      });
      onClose();
      await changed("/planning", "/today");
      toast(words.changed);
      return;
    }
    const { data } = await call("POST /orgs/{orgId}/planning/sessions", { body });
    onClose();
    await changed("/planning", "/today");
    toast(words.booked, { label: actions.undo, run: () => takeBack(data.id, words.undone) });
  };

  const options = (type: "aircraft" | "instructor" | "room") => [
    { value: "", label: words.nothing },
    ...inOrder(rows, type, { start, end, scale, except: session?.id }).map(({ row, why }) => ({
      value: row.id,
      label: why ? words.notFree(row.name, why === "taken" ? words.taken : words.because[why]) : row.name,
    })),
  ];
  return (
    <Dialog title={session ? words.changeTitle : words.newBooking} onClose={onClose} wide>
      <Form onSubmit={send}>
        <div class="fields close">
          {!session && (
            <SelectField
              name="kind"
              label={words.kind}
              value={entry.kind}
              options={kinds.map((value) => ({ value, label: today.kinds[value] }))}
            />
          )}
          <TextField name="on" label={words.on} type="date" value={entry.on} required />
          <TextField name="start_at" label={words.from} type="time" value={entry.from} required />
          <TextField name="end_at" label={words.to} type="time" value={entry.to} required />
          <SelectField
            name="aircraft_id"
            label={words.aircraft}
            value={entry.aircraft}
            options={options("aircraft")}
            required={needed[kind].includes("aircraft_id")}
          />
          <SelectField
            name="instructor_id"
            label={words.instructor}
            value={entry.instructor}
            options={options("instructor")}
            required={needed[kind].includes("instructor_id")}
          />
          {rows.some(({ type }) => type === "room") && (
            <SelectField
              name="room_id"
              label={words.room}
              value={entry.room}
              options={options("room")}
              required={false}
            />
          )}
          <Students value={entry.students} known={session?.resources ?? []} />
          {(lessons.length > 0 || entry.lesson.value !== "") && (
            <SelectField
              name="lesson_id"
              label={words.lesson}
              value={entry.lesson}
              required={false}
              options={[
                { value: "", label: words.noLesson },
                ...(session?.lesson_id ? [{ value: session.lesson_id, label: session.lesson_name ?? "" }] : []),
                ...lessons
                  .filter(({ id }) => id !== session?.lesson_id)
                  .map(({ id, code, name, program }) => ({
                    value: id,
                    label: [`${code} ${name}`, programs.size > 1 && program].filter(Boolean).join(" · "),
                  })),
              ]}
            />
          )}
          <TextField name="title" label={words.titleField} value={entry.title} maxLength={120} />
          <TextField name="notes" label={words.notes} value={entry.notes} maxLength={2000} multiline wide />
        </div>
        {(kind === "flight" || kind === "lesson") && (
          <CheckField name="night" label={words.night} value={entry.night} />
        )}
        <div aria-live="polite">
          {!repeat.isOn.value && <Verdict said={saidOf(preview, named)} kind={preview.kind} />}
        </div>
        {!session && <RepeatFields repeat={repeat} rows={rows} />}
        <div class="form-actions">
          <Submit busyText={session ? actions.saving : words.booking}>
            {session ? actions.save : repeat.isOn.value ? sayOf(repeat, words) : words.book}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}

/** First what clashes is shown, and then what fits is booked. */
const sayOf = ({ tried }: Repeat, { repeat }: ReturnType<typeof planningText>): string =>
  tried.value ? repeat.submit(tried.value.sessions.length) : repeat.show;

function useEntry(draft: Draft | undefined, session: PlanningSession | undefined, student: string | undefined): Entry {
  const at = zone();
  const start = clockAt(draft?.start ?? session?.start_at ?? Date.now(), at);
  const end = clockAt(draft?.end ?? session?.end_at ?? Date.now(), at);
  const ofRow = (type: Row["type"]) => (draft?.row.type === type ? draft.row.id : "");
  return {
    kind: useSignal<string>(session?.kind ?? kindIn[draft?.row.type ?? "none"]),
    on: useSignal(start.day),
    from: useSignal(start.time),
    to: useSignal(end.time),
    aircraft: useSignal(session?.aircraft_id ?? ofRow("aircraft")),
    instructor: useSignal(session?.instructor_id ?? ofRow("instructor")),
    room: useSignal(session?.room_id ?? ofRow("room")),
    students: useSignal<readonly string[]>(session?.student_ids ?? (student === undefined ? [] : [student])),
    lesson: useSignal(session?.lesson_id ?? ""),
    night: useSignal(session?.night ?? false),
    title: useSignal(session?.title ?? ""),
    notes: useSignal(session?.notes ?? ""),
  };
}

/** What is sent; `undefined` while the times are none. An end before the start is on the next day. */
function bodyOf(entry: Entry): NewPlanningSession | undefined {
  const [day, from, to] = [entry.on.value, entry.from.value, entry.to.value];
  const start_at = instantAt(day, from, zone());
  const end_at = instantAt(to <= from ? dayAfter(day) : day, to, zone());
  if (from === "" || to === "" || start_at === undefined || end_at === undefined) return undefined;
  const orNull = (text: string) => (text.trim() === "" ? null : text);
  return {
    ...{ kind: entry.kind.value as Kind, start_at, end_at },
    aircraft_id: orNull(entry.aircraft.value),
    instructor_id: orNull(entry.instructor.value),
    room_id: orNull(entry.room.value),
    lesson_id: orNull(entry.lesson.value),
    student_ids: entry.students.value.filter((id) => id !== ""),
    night: entry.night.value,
    title: orNull(entry.title.value),
    notes: orNull(entry.notes.value),
  };
}

/** What a kind can't do without. Until it is there, nothing is asked: it is still being typed. */
const needed: Record<Kind, readonly (keyof NewPlanningSession)[]> = {
  flight: ["aircraft_id"],
  lesson: ["instructor_id"],
  maintenance: ["aircraft_id"],
  ground: [],
  other: [],
};

const isTried = (body: NewPlanningSession): boolean => needed[body.kind].every((name) => body[name] !== null);

type Change = Omit<NewPlanningSession, "kind">;

/** The fields that differ from what was there. */
function changedOf(body: Change, session: PlanningSession): Partial<Change> {
  const now = session as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  );
}

const labels = (words: ReturnType<typeof planningText>) => ({
  student_ids: { label: words.students },
  lesson_id: { label: words.lesson },
  night: { label: words.night },
  title: { label: words.titleField },
  notes: { label: words.notes },
});

async function takeBack(sessionId: string, said: string): Promise<void> {
  try {
    const body = { reason: "other" } as const;
    await call("POST /orgs/{orgId}/planning/sessions/{sessionId}/cancel", { path: { sessionId }, body });
    await changed("/planning", "/today");
    toast(said);
  } catch (problem) {
    failed(problem);
  }
}

interface At {
  start: number;
  end: number;
  scale: Scale;
  except: string | undefined;
}

/** Those that are free then come first. Of other days than those of the board nothing is known. */
function inOrder(rows: readonly Row[], type: Row["type"], { start, end, scale, except }: At) {
  const isKnown = start >= (scale.spans[0]?.from ?? 0) && end <= (scale.spans.at(-1)?.to ?? 0);
  return rows
    .filter((row) => row.type === type)
    .map((row) => ({ row, why: isKnown ? whyNotFree(row, start, end, except) : undefined }))
    .sort((one, other) => Number(one.why !== undefined) - Number(other.why !== undefined));
}
