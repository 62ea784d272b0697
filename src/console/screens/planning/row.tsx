/** One row: its name, when it can't be booked, and its bars. */
import { type Signal, useComputed } from "@preact/signals";
import type { PlanningSession } from "../../api/operations.ts";
import { formatDuration, formatTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { spanOf } from "../bookings/times.ts";
import { type Duty, dutyOf } from "./duty.ts";
import { StateOfRow } from "./row-state.tsx";
import { type Bar, initialsOf, keyOf, labelOf, type Row } from "./rows.ts";
import { placeOf, type Scale } from "./scale.ts";
import { noGo } from "./state.tsx";
import { planningText } from "./words.ts";

interface RowProps {
  row: Row;
  scale: Scale;
  /** Of its state. */
  reasons: readonly string[];
  /** Which row of the board it is. */
  index: number;
  /** How many rows have their bars already. */
  drawn: Signal<number>;
}

export function RowOf({ row, scale, reasons, index, drawn }: RowProps) {
  const words = planningText();
  const { state } = row;
  const isDrawn = useComputed(() => index < drawn.value).value;
  const duties = row.type === "instructor" ? dutyOf(row, scale) : [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: no group of fields
    <div
      class="board-row"
      role="group"
      aria-label={state ? `${row.name}, ${words.states[state]}` : row.name}
      style={{ "--lanes": row.lanes }}
    >
      <div class="board-name">
        <span class="board-of">{row.name}</span>
        {state && <StateOfRow state={state} reasons={reasons} />}
        {!state && row.detail !== undefined && <span class="row-detail">{row.detail}</span>}
        {!state && duties.length === 1 && duties[0] && (
          <span class="row-detail">{formatDuration(duties[0].booked)} h</span>
        )}
      </div>
      <div class="board-track" data-row={keyOf(row)}>
        {isDrawn && <Track {...{ row, scale, duties }} />}
      </div>
    </div>
  );
}

interface TrackProps extends Pick<RowProps, "row" | "scale"> {
  duties: readonly Duty[];
}

function Track({ row, scale, duties }: TrackProps) {
  const words = planningText();
  return (
    <>
      {row.busy.map(({ start, end, because }) => (
        <span
          key={`${because} ${start}`}
          class={`board-busy ${because ?? ""}`}
          title={words.because[because ?? "unknown"]}
          style={placeOf(scale, start, end)}
        />
      ))}
      {duties.map(({ from, to, booked }) => (
        <span
          key={from}
          class="board-duty"
          title={words.duty(formatTime(iso(from)), formatTime(iso(to)), formatDuration(booked))}
          style={placeOf(scale, from, to)}
        />
      ))}
      {row.bars.map((bar) => barOf(bar, row, scale))}
    </>
  );
}

const HOUR = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

const icons: Partial<Record<PlanningSession["status"], IconName>> = { checked_in: "next", completed: "check" };

/** No component: there are hundreds, and all of a row are rendered together. */
function barOf({ session, start, end, lane, against }: Bar, row: Row, scale: Scale) {
  const { today } = text();
  const stopped = noGo(against);
  const { main, more } = labelOf(session, row);
  const title = main || today.kinds[session.kind];
  const isNarrow = scale.spans.length > 1 && end - start < 3 * HOUR;
  const said = [
    spanOf(session.start_at, session.end_at),
    today.kinds[session.kind],
    today.sessions[session.status],
    stopped,
  ].filter(Boolean);
  const icon = stopped === undefined ? icons[session.status] : "stop";
  return (
    <button
      key={session.id}
      type="button"
      class={`booking ${session.status} ${session.kind}${icon ? " marked" : ""}${stopped === undefined ? "" : " no-go"}`}
      data-session={session.id}
      aria-haspopup="dialog"
      aria-label={[[title, more].join(" ").trim(), ...said].join(", ")}
      title={[title, more, ...said].join("\n")}
      tabIndex={-1}
      style={{ ...placeOf(scale, start, end), ...(lane > 0 && { "--lane": lane }) }}
    >
      {icon && <Icon name={icon} size={14} />}
      {/* Initials are drawn and not text: the name of the button is the whole name. */}
      {isNarrow ? <strong class="booking-short" data-short={initialsOf(title)} /> : <strong>{title}</strong>}
      {more && !isNarrow && "\n"}
      {more && !isNarrow && <span>{more}</span>}
    </button>
  );
}
