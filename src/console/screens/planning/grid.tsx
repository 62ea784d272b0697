/** The picture: rows with their bars, the hours above, night and closing times behind them. It is drawn anew when its data change, and not while something is dragged. */
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { PlanningBoard, PlanningSession } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { formatWeekday } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { Behind } from "./behind.tsx";
import { createDrafts, type Draft, type Drafts } from "./drafts.ts";
import { useDrawn } from "./drawn.ts";
import { drop, refuse } from "./drop.ts";
import { Ghost } from "./ghost.tsx";
import { onBoardKey, roving } from "./keys.ts";
import { useNow } from "./now.ts";
import { followPointer, type Hands } from "./pointer.ts";
import { RowOf } from "./row.tsx";
import { keyOf, type Row } from "./rows.ts";
import { hoursIn, percent, placeOf, type Scale } from "./scale.ts";
import type { View } from "./shown.ts";
import type { Position } from "./sun.ts";
import { Tell } from "./tell.tsx";
import { planningText } from "./words.ts";

interface GridProps {
  rows: readonly Row[];
  /** Why rows have their states, by their ids. */
  reasons: ReadonlyMap<string, readonly string[]>;
  scale: Scale;
  view: View;
  board: PlanningBoard;
  position: Position | null;
  label: string;
  /** Somebody chose a time for a new booking, or opened one. */
  onBook: (draft: Draft) => void;
  onOpen: (session: PlanningSession) => void;
}

/** An hour, in pixels, at least. */
const hourWidth = { day: 56, week: 13 } as const;
const HOUR = 3_600_000;

const mayMove = ({ status }: PlanningSession): boolean =>
  may("planning:manage") && (status === "requested" || status === "planned");

export function Grid({ rows, reasons, scale, view, board, position, label, onBook, onOpen }: GridProps) {
  const words = planningText();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const drafts = useMemo(createDrafts, []);
  const byKey = useMemo(() => new Map(rows.map((row) => [keyOf(row), row])), [rows]);
  const hours = scale.length / HOUR;
  const mayBook = may("planning:manage");
  const finish = (draft: Draft) => finishDraft(draft, { drafts, rows, onBook, body: body.current });
  const hands = useRef<Hands>({ scale, rows: byKey, drafts, mayMove, mayBook, finish });
  hands.current = { scale, rows: byKey, drafts, mayMove, mayBook, finish };
  useLayoutEffect(() => {
    if (scroller.current) return followPointer(scroller.current, () => hands.current);
  }, []);
  // Before what measures: it writes.
  useNow(body, scale);
  useLayoutEffect(() => scrollToBegin(scroller.current, scale, board), [scale.spans[0]?.from, scale.length]);
  const reach = () => {
    if (scroller.current) roving(scroller.current);
  };
  useLayoutEffect(reach, [rows]);
  const drawn = useDrawn(rows, reach);
  useLayoutEffect(() => drafts.clear(), [scale.spans[0]?.from, view]);
  const types = ["aircraft", "instructor", "room", "none"] as const;
  return (
    <>
      <p class="visually-hidden" id="board-use">
        {mayBook ? words.use : words.useReadOnly}
      </p>
      <div
        class={`board ${view}`}
        ref={scroller}
        role="application"
        aria-label={label}
        aria-describedby="board-use"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and takes keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (scroller.current) onBoardKey(event, scroller.current, hands.current);
        }}
        onFocusIn={({ target }) => {
          const bar = target instanceof Element ? target.closest("[data-session]") : null;
          if (bar && scroller.current) roving(scroller.current, bar);
        }}
        onClick={({ target }) => {
          const id =
            target instanceof Element ? target.closest<HTMLElement>("[data-session]")?.dataset.session : undefined;
          const session = board.sessions.find((one) => one.id === id);
          if (session) onOpen(session);
        }}
      >
        <div class="board-inner" style={{ "--hours": hours, "--hour": `${hourWidth[view]}px` }}>
          <div class="board-head" aria-hidden="true">
            <div class="board-name" />
            <div class="board-track">
              {scale.spans.map((span) => (
                <div key={span.day} class="board-day" style={placeOf(scale, span.from, span.to)}>
                  {view === "week" && <strong>{formatWeekday(span.day)}</strong>}
                  {view === "day" &&
                    hoursIn(span, scale.zone).map(({ at, time }) => (
                      <span key={at} class="board-hour" style={{ insetInlineStart: percent(scale.shareOf(at)) }}>
                        {time}
                      </span>
                    ))}
                </div>
              ))}
            </div>
          </div>
          <div class="board-body" ref={body}>
            <Behind {...{ scale, board, view, position }} />
            <Ghost {...{ drafts, scale, rows, body }} />
            {types.map((type) => {
              const own = rows.filter((row) => row.type === type);
              return (
                own.length > 0 && (
                  <div key={type} class="board-group">
                    <div class="board-title" aria-hidden="true">
                      <span>{words.groups[type]}</span>
                    </div>
                    {own.map((row) => (
                      <RowOf
                        key={row.id}
                        {...{ row, scale, drawn, index: rows.indexOf(row), reasons: reasons.get(row.id) ?? [] }}
                      />
                    ))}
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      <Tell drafts={drafts} rows={byKey} />
    </>
  );
}

interface Finishing {
  drafts: Drafts;
  rows: readonly Row[];
  onBook: (draft: Draft) => void;
  body: HTMLElement | null;
}

/** What was let go is booked, unless it is known to be refused. The focus stays with it. */
async function finishDraft(draft: Draft, { drafts, rows, onBook, body }: Finishing): Promise<void> {
  const { session, row } = draft;
  if (!session) {
    drafts.clear();
    onBook(draft);
    return;
  }
  const preview = drafts.preview.peek();
  if (preview.kind === "refused") refuse(preview.problem, rows, session);
  else await drop(draft, rows);
  // While it was sent, somebody may have taken another.
  if (drafts.draft.peek() === draft) drafts.clear();
  if (document.activeElement !== document.body && document.activeElement?.closest(".board") === null) return;
  body?.querySelector<HTMLElement>(`[data-row="${keyOf(row)}"] [data-session="${session.id}"]`)?.focus();
}

/** Begins where the day does, at a full hour, whose label is whole: an hour before now while the school is open, else at the opening or the first session; in a week, today. */
function scrollToBegin(scroller: HTMLElement | null, scale: Scale, board: PlanningBoard): void {
  if (!scroller || scroller.scrollWidth <= scroller.clientWidth) return;
  const head = scroller.querySelector<HTMLElement>(".board-name")?.offsetWidth ?? 0;
  const begin = beginOf(scale, board);
  const { from } = scale.spans.find((span) => span.from <= begin && begin < span.to) ?? { from: begin };
  const share = scale.shareOf(begin - ((begin - from) % HOUR));
  scroller.scrollLeft = Math.floor(share * (scroller.scrollWidth - head));
}

function beginOf({ spans }: Scale, { open, sessions }: PlanningBoard): number {
  const now = Date.now();
  const isIn = (from: number, to: number) => from <= now && now < to;
  // In a week also before the first hour of today that is shown.
  const shown = spans.find(({ day }) => day === today()) ?? spans[0];
  if (!shown || spans.length > 1) return shown?.from ?? now;
  const isOpen = open.some(({ start_at, end_at }) => isIn(Date.parse(start_at), Date.parse(end_at)));
  if (isIn(shown.from, shown.to) && isOpen) return now - HOUR;
  const starts = [...open, ...sessions].map(({ start_at }) => Date.parse(start_at)).filter((at) => at > shown.from);
  return starts.length > 0 ? Math.min(...starts) - HOUR / 2 : shown.from;
}
