/** What is open over the board: a booking, or the form of one. They are loaded when they are opened. */
import type { Signal } from "@preact/signals";
import type { PlanningSession } from "../../api/operations.ts";
import { later } from "../../ui/later.tsx";
import type { DetailsProps } from "./details.tsx";
import type { Draft } from "./drafts.ts";
import type { Row } from "./rows.ts";
import type { Scale } from "./scale.ts";
import type { SessionDialogProps } from "./session-dialog.tsx";

export type OpenedPart =
  | { kind: "form"; draft: Draft }
  | { kind: "change"; session: PlanningSession }
  | { kind: "details"; id: string }
  | undefined;

const SessionDialog = later<SessionDialogProps>(() => import("./session-dialog.tsx"));
const Details = later<DetailsProps>(() => import("./details.tsx"));

interface OpenedProps {
  opened: Signal<OpenedPart>;
  rows: readonly Row[];
  scale: Scale;
  sessions: readonly PlanningSession[];
}

export function Opened({ opened, rows, scale, sessions }: OpenedProps) {
  const part = opened.value;
  const onClose = () => {
    opened.value = undefined;
  };
  if (part?.kind === "form") return <SessionDialog {...{ rows, scale, onClose }} draft={part.draft} />;
  if (part?.kind === "change") return <SessionDialog {...{ rows, scale, onClose }} session={part.session} />;
  const session = part && sessions.find(({ id }) => id === part.id);
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
