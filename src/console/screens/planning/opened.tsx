/** What is open over the board: a booking, or the form of one. They are loaded when they are opened. */
import type { Signal } from "@preact/signals";
import type { PlanningSession } from "../../api/operations.ts";
import { today } from "../../app/days.ts";
import { zone } from "../../app/format.ts";
import { instantAt } from "../../app/local-time.ts";
import { setQuery } from "../../app/router.ts";
import { later } from "../../ui/later.tsx";
import type { DetailsProps } from "./details.tsx";
import { type Draft, quarter } from "./drafts.ts";
import type { HoursProps } from "./hours.tsx";
import type { Row } from "./rows.ts";
import type { Scale } from "./scale.ts";
import type { SessionDialogProps } from "./session-dialog.tsx";
import { openedByAddress } from "./shown.ts";
import type { WaitingProps } from "./waiting.tsx";
import type { WeatherDayProps } from "./weather-day.tsx";

export type OpenedPart =
  | { kind: "form"; draft: Draft }
  | { kind: "change"; session: PlanningSession }
  | { kind: "details"; id: string }
  | { kind: "new" | "weather" | "waiting" | "hours" }
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
    if (openedByAddress()) setQuery({ booking: undefined, open: undefined });
  };
  if (part?.kind === "form") return <SessionDialog {...{ rows, scale, onClose }} draft={part.draft} />;
  if (part?.kind === "new") return <SessionDialog {...{ rows, scale, onClose }} draft={firstOf(rows, day)} />;
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

/** Without a row and a time that was chosen: the next full hour, or ten o'clock of another day. */
function firstOf(rows: readonly Row[], day: string): Draft {
  const row = rows[0] ?? { type: "none" as const, id: "" };
  const hour = 4 * quarter;
  const begin = Date.parse(instantAt(day, "10:00", zone()) ?? "");
  const start = day === today() ? Math.ceil(Date.now() / hour) * hour : begin;
  return { session: undefined, from: row, row, start, end: start + hour };
}
