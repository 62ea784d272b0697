/** What is open over the board: a booking, or the form of one. They are loaded when they are opened. */
import type { Signal } from "@preact/signals";
import type { PlanningSession } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { zone } from "../../app/format.ts";
import { instantAt } from "../../app/local-time.ts";
import { later } from "../../ui/later.tsx";
import type { DetailsProps } from "./details.tsx";
import { type Draft, quarter } from "./drafts.ts";
import type { HoursProps } from "./hours.tsx";
import { type Row, whyNotFree } from "./rows.ts";
import type { Scale } from "./scale.ts";
import type { SessionDialogProps } from "./session-dialog.tsx";
import { showNothingOpened } from "./shown.ts";
import type { WaitingProps } from "./waiting.tsx";
import type { WeatherDayProps } from "./weather-day.tsx";

export type OpenedPart =
  | { kind: "form"; draft: Draft }
  | { kind: "change"; session: PlanningSession }
  | { kind: "details"; id: string }
  | { kind: "new" | "weather" | "waiting" | "hours"; student?: string }
  | undefined;

const SessionDialog = later<SessionDialogProps>(() => import("./session-dialog.tsx"));
const WeatherDay = later<WeatherDayProps>(() => import("./weather-day.tsx"));
const Waiting = later<WaitingProps>(() => import("./waiting.tsx"));
const Hours = later<HoursProps>(() => import("./hours.tsx"));
const Details = later<DetailsProps>(() => import("./details.tsx"));

interface OpenedProps {
  opened: Signal<OpenedPart>;
  rows: readonly Row[];
  scale: Scale;
  sessions: readonly PlanningSession[];
  day: string;
  /** Of the aircraft. */
  types: readonly string[];
}

export function Opened({ opened, rows, scale, sessions, day, types }: OpenedProps) {
  const part = opened.value;
  const onClose = () => {
    opened.value = undefined;
    showNothingOpened();
  };
  if (part?.kind === "form") return <SessionDialog {...{ rows, scale, onClose }} draft={part.draft} />;
  if (part?.kind === "new")
    return <SessionDialog {...{ rows, scale, onClose }} draft={firstOf(rows, day)} student={part.student} />;
  if (part?.kind === "change") return <SessionDialog {...{ rows, scale, onClose }} session={part.session} />;
  if (part?.kind === "weather") return <WeatherDay {...{ day, rows, onClose }} />;
  if (part?.kind === "waiting") return <Waiting {...{ rows, types, onClose }} />;
  if (part?.kind === "hours") return <Hours {...{ rows, onClose }} />;
  const session = part?.kind === "details" && sessions.find(({ id }) => id === part.id);
  if (!session) return null;
  return (
    <Details
      {...{ session, rows, onClose }}
      onChange={() => {
        opened.value = { kind: "change", session };
      }}
    />
  );
}

/** Without a row and a time that was chosen: the next full hour, or ten o'clock of another day, in the first row that is free then. */
function firstOf(rows: readonly Row[], day: string): Draft {
  const hour = 4 * quarter;
  const begin = Date.parse(instantAt(day, "10:00", zone()) ?? "");
  const start = day === today() ? Math.ceil(Date.now() / hour) * hour : begin;
  const isFree = (row: Row) => row.type === rows[0]?.type && whyNotFree(row, start, start + hour) === undefined;
  const row = rows.find(isFree) ?? rows[0] ?? { type: "none" as const, id: "" };
  return { session: undefined, from: row, row, start, end: start + hour };
}
