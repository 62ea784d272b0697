/** A day on paper, in black and white: the hours of its bookings and of the daylight. A row is as high as what is written in it. */
import type { ComponentChildren } from "preact";
import type { PlanningBoard } from "../../api/operations.ts";
import { formatTime, formatWeekday, zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { organization } from "../../app/session.ts";
import { type Bar, labelOf, type Row } from "./rows.ts";
import { hoursIn, percent, placeOf, printedHours, type Scale, scaleOf } from "./scale.ts";
import { noGo } from "./state.tsx";
import { type Position, sunOf } from "./sun.ts";
import { saidOfSun } from "./sun-times.tsx";
import { planningText } from "./words.ts";

const HOUR = 3_600_000;
/** Columns of the grid that a row is: what is booked begins and ends in one of them. */
const column = 5 * 60_000;

const iso = (at: number): string => new Date(at).toISOString();

export interface PrintedDayProps {
  day: string;
  rows: readonly Row[];
  /** Why rows have their states, by their ids. */
  reasons: ReadonlyMap<string, readonly string[]>;
  board: PlanningBoard;
  position: Position | null;
}

export function PrintedDay({ day, rows, reasons, board, position }: PrintedDayProps) {
  const words = planningText();
  const [whole] = scaleOf([day], zone()).spans;
  if (!whole) return null;
  const times = board.sessions
    .map(({ start_at, end_at }) => ({ start: Date.parse(start_at), end: Date.parse(end_at) }))
    .filter(({ start, end }) => start < whole.to && end > whole.from)
    .map(({ start, end }) => ({ start: start - HOUR, end: end + HOUR }));
  const light = position && sunOf((whole.from + whole.to) / 2, position).day;
  const sun = typeof light === "object" && light !== null ? [{ start: light.from, end: light.to }] : [];
  const scale = scaleOf([day], zone(), printedHours(whole, [...times, ...sun], zone()));
  const ticks = scale.spans.flatMap((span) => hoursIn(span, scale.zone));
  const onThatDay = rows.filter(({ type, bars }) => type !== "none" || bars.some((bar) => isIn(bar, whole)));
  return (
    <table class="printed-day">
      <colgroup>
        <col class="printed-names" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th colSpan={2}>
            <span class="printed-title">
              <strong class="printed-date">{formatWeekday(day)}</strong>
              <span>{[organization.value?.name, words.title].filter(Boolean).join(" · ")}</span>
              <span class="printed-sun">{position && saidOfSun(day, position).join(" · ")}</span>
            </span>
          </th>
        </tr>
        <tr class="printed-scale">
          <td />
          <td class="printed-hours">
            <span class="printed-lines">
              {ticks.map(({ at, time }) => (
                <span key={at} class="printed-line" style={{ insetInlineStart: percent(scale.shareOf(at)) }}>
                  {time}
                </span>
              ))}
            </span>
          </td>
        </tr>
      </thead>
      <tbody>
        {onThatDay.map((row) => (
          <tr key={`${row.type} ${row.id}`}>
            <th scope="row">
              {row.name}
              {row.busy.some((busy) => busy.because === row.state && isIn(busy, whole)) && row.state && (
                <span class="printed-why">{[words.states[row.state], ...(reasons.get(row.id) ?? [])].join(": ")}</span>
              )}
            </th>
            <Track {...{ row, scale }}>
              {ticks.map(({ at }) => (
                <span key={at} class="printed-line" style={{ insetInlineStart: percent(scale.shareOf(at)) }} />
              ))}
            </Track>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isIn = ({ start, end }: { start: number; end: number }, { from, to }: { from: number; to: number }): boolean =>
  start < to && end > from;

function Track({ row, scale, children }: { row: Row; scale: Scale; children: ComponentChildren }) {
  const [span] = scale.spans;
  if (!span) return null;
  const columns = Math.ceil((span.to - span.from) / column);
  /** The columns of a time, as far as it is printed. */
  const columnsOf = ({ start, end }: { start: number; end: number }) => {
    const from = Math.max(Math.floor((start - span.from) / column), 0);
    const to = Math.min(Math.ceil((end - span.from) / column), columns);
    return { gridColumn: `${from + 1} / ${Math.max(to, from + 1) + 1}` };
  };
  return (
    <td class="printed-track">
      {row.busy
        .filter((busy) => isIn(busy, span))
        .map(({ because, start, end }) => (
          <span key={`${because} ${start}`} class="printed-busy" style={placeOf(scale, start, end)} />
        ))}
      <span class="printed-lines">{children}</span>
      <div class="printed-bars" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {row.bars
          .filter((bar) => isIn(bar, span))
          .map((bar) => (
            <span
              key={bar.session.id}
              class={`printed-booking ${bar.session.status}`}
              style={{ ...columnsOf(bar), gridRow: bar.lane + 1 }}
            >
              <Said bar={bar} row={row} />
            </span>
          ))}
      </div>
    </td>
  );
}

/** In words what is told by colour on a screen. */
function Said({ bar: { session, start, end, against }, row }: { bar: Bar; row: Row }) {
  const { today } = text();
  const { main, more } = labelOf(session, row);
  const state = session.status === "planned" ? undefined : today.sessions[session.status];
  return (
    <>
      <strong class="printed-name">{main || today.kinds[session.kind]}</strong>
      <span class="printed-more">{[more, state, noGo(against)].filter(Boolean).join(" · ")}</span>
      <span class="printed-more">
        {formatTime(iso(start))}–{formatTime(iso(end))}
      </span>
    </>
  );
}
