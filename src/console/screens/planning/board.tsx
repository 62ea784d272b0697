/** The board: what is booked on a day or in a week, by aircraft, instructor and room. */
import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PlanningBoard, PlanningResources } from "../../api/operations.ts";
import { formatDay, formatWeekday, zone } from "../../app/format.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { loadEarly, useResource } from "../../app/resource.ts";
import { place } from "../../app/router.ts";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { Grid } from "./grid.tsx";
import { Opened, type OpenedPart } from "./opened.tsx";
import { PrintedDays } from "./printed-days.tsx";
import { useReasons } from "./reasons.ts";
import { rowsOf } from "./rows.ts";
import { hoursOf, scaleOf, weekOf } from "./scale.ts";
import { dayShown, openedByAddress, showBooking, type View } from "./shown.ts";
import { SunTimes } from "./sun-times.tsx";
import { SessionsTable } from "./table.tsx";
import { Toolbar, Tools } from "./toolbar.tsx";
import { planningText } from "./words.ts";

const resourcesOf = "GET /orgs/{orgId}/planning/resources";
const boardOf = "GET /orgs/{orgId}/planning/board";

const midnight = (day: string): string => instantAt(day, "00:00", zone()) ?? `${day}T00:00:00.000Z`;

/** What the address asks for. */
function timeShown() {
  const view: View = place.value.query.get("view") === "week" ? "week" : "day";
  const day = dayShown();
  const days = view === "week" ? weekOf(day) : [day];
  const [first = day, last = day] = [days[0], days.at(-1)];
  return { view, day, days, first, last, query: { from: midnight(first), to: midnight(dayAfter(last)) } };
}

export function ahead(): void {
  loadEarly(resourcesOf);
  loadEarly(boardOf, { query: timeShown().query });
}

export default function Board() {
  const words = planningText();
  const opened = useSignal<OpenedPart>(openedByAddress());
  const asTable = place.value.query.get("as") === "table";
  const { view, day, days, first, last, query } = timeShown();
  const resources = useResource(resourcesOf);
  const board = useResource(boardOf, { query });
  const when = view === "week" ? words.weekOf(formatDay(first), formatDay(last)) : formatWeekday(day);
  const problem = resources.problem ?? board.problem;
  return (
    <div class="planning">
      <div class="page-head">
        <h1>
          {words.title} <span class="planning-when">{when}</span>
        </h1>
        <Toolbar {...{ view, day }} />
      </div>
      <Tools {...{ asTable, opened }} />
      {problem !== undefined && (
        <ProblemNotice error={problem} retry={() => Promise.all([resources.reload(), board.reload()])} />
      )}
      {resources.data && board.data ? (
        <Shown
          {...{ view, day, days, asTable, when, opened, resources: resources.data.data, board: board.data.data }}
        />
      ) : (
        problem === undefined && <Skeleton lines={10} />
      )}
    </div>
  );
}

interface ShownProps {
  view: View;
  day: string;
  opened: Signal<OpenedPart>;
  days: readonly string[];
  asTable: boolean;
  when: string;
  resources: PlanningResources;
  board: PlanningBoard;
}

function Shown({ view, day, days, asTable, when, opened, resources, board }: ShownProps) {
  const words = planningText();
  const at = zone();
  const scale = useMemo(
    () => scaleOf(days, at, view === "week" ? hoursOf(board.open, board.sessions, at) : [0, 24]),
    [days.join(), at, view, board],
  );
  const [from, to] = [scale.spans[0]?.from ?? 0, scale.spans.at(-1)?.to ?? 0];
  const rows = useMemo(() => rowsOf(resources, board, words, { from, to }), [resources, board, words, from, to]);
  const reasons = useReasons(rows);
  const { home } = resources;
  const position = useMemo(
    () => home && { latitude: Number(home.latitude), longitude: Number(home.longitude) },
    [home?.latitude, home?.longitude],
  );
  if (rows.length === 0) return <Empty title={words.noRows}>{words.noRowsHint}</Empty>;
  const types = [...new Set(resources.aircraft.flatMap(({ icao_type }) => icao_type ?? []))];
  const over = <Opened {...{ opened, rows, scale, day, types, sessions: board.sessions }} />;
  if (asTable)
    return (
      <>
        <SessionsTable sessions={board.sessions} />
        {over}
      </>
    );
  return (
    <>
      <Grid
        {...{ rows, reasons, scale, view, board, position, label: words.board(when) }}
        onBook={(draft) => {
          opened.value = { kind: "form", draft };
        }}
        onOpen={({ id }) => {
          opened.value = { kind: "details", id };
          showBooking(id);
        }}
      />
      <PrintedDays {...{ days, rows, reasons, board, position }} />
      <div class="planning-foot">
        {may("planning:manage") && (
          <p class="planning-hint">
            <span class="for-mouse">{words.keysHint}</span>
            <span class="for-touch">{words.touchHint}</span>
          </p>
        )}
        {view === "day" && <SunTimes day={day} position={position} />}
      </div>
      {over}
    </>
  );
}
