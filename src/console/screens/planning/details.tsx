/** A booking in the side panel: what it is, whether it can take place, and what can be done with it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PlanningSession } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { dayOf } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { failed } from "../../ui/failed.ts";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { CancelDialog } from "../bookings/cancel-dialog.tsx";
import { spanOf } from "../bookings/times.ts";
import { saidOfOffers } from "./offered.ts";
import { useReasons } from "./reasons.ts";
import type { Row } from "./rows.ts";
import { State } from "./state.tsx";
import { sentenceOf } from "./verdict.tsx";
import { planningText } from "./words.ts";

export interface DetailsProps {
  session: PlanningSession;
  rows: readonly Row[];
  onChange: () => void;
  onClose: () => void;
}

export default function Details({ session, rows, onChange, onClose }: DetailsProps) {
  const words = planningText();
  const { kinds } = text().today;
  const isCancelling = useSignal(false);
  const { id, kind, status, start_at, end_at, resources } = session;
  const named = (type: (typeof resources)[number]["type"], page?: string) =>
    linked(
      resources.filter((one) => one.type === type),
      page,
    );
  const people = may("people:read") ? "/app/people" : undefined;
  const isAhead = status === "requested" || status === "planned";
  if (isCancelling.value)
    return (
      <CancelDialog
        session={session}
        reasons={words.reasons}
        scopes={session.series_id ? words.scopes : undefined}
        tellMore={saidOfOffers}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={`${kinds[kind]}${session.title === null ? "" : `: ${session.title}`}`} onClose={onClose} side>
      <div>
        <State session={session} />
      </div>
      <Facts
        facts={[
          { label: words.when, value: spanOf(start_at, end_at) },
          { label: words.aircraft, value: named("aircraft", "/app/aircraft") },
          { label: words.instructor, value: named("instructor", people) },
          { label: words.students, value: named("student", people) },
          { label: words.room, value: named("room") },
          { label: words.lesson, value: session.lesson_name },
          { label: words.notes, value: session.notes },
          { label: words.by, value: session.created_by_name },
          {
            label: words.flight,
            value: session.flight_id && <a href={`/app/flights/${session.flight_id}`}>{words.openFlight}</a>,
          },
        ]}
      />
      {isAhead && <Clearance {...{ id, resources, rows }} />}
      {may("planning:manage") && (
        <Actions
          session={session}
          onChange={onChange}
          onCancel={() => {
            isCancelling.value = true;
          }}
        />
      )}
    </Dialog>
  );
}

/** Names in a row, each of which leads to its page. */
function linked(named: readonly { id: string; name: string }[], page: string | undefined): ComponentChildren {
  return named.flatMap(({ id, name }, at) => [
    at > 0 && ", ",
    page === undefined ? (
      name
    ) : (
      <a key={id} href={`${page}/${id}`}>
        {name}
      </a>
    ),
  ]);
}

/** Whether it can take place as things are now: the rules of the booking and the clearance of those on board. */
function Clearance({ id, resources, rows }: Pick<PlanningSession, "id" | "resources"> & Pick<DetailsProps, "rows">) {
  const words = planningText();
  const reasons = useReasons(rows);
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/planning/sessions/{sessionId}/checks", {
    path: { sessionId: id },
  });
  return (
    <section class="form" aria-label={words.clearance}>
      <h3>{words.clearance}</h3>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {data === undefined && problem === undefined && <Skeleton lines={2} />}
      {data?.data.length === 0 && <Badge tone="good">{words.clear}</Badge>}
      {data && data.data.length > 0 && (
        <ul class="plain-list">
          {data.data.map((check) => (
            <li key={`${check.rule} ${check.resource?.id} ${check.message}`}>
              <Badge tone={check.action === "block" ? "bad" : "warn"}>{sentenceOf(check, resources)}</Badge>
            </li>
          ))}
          {[
            ...new Set(data.data.flatMap(({ rule, resource }) => (isOfWorkshop(rule) ? (resource?.id ?? []) : []))),
          ].map(
            (aircraftId) =>
              reasons.has(aircraftId) && (
                <li key={aircraftId}>
                  <a href={`/app/aircraft/${aircraftId}`}>{reasons.get(aircraftId)?.join(", ")}</a>
                </li>
              ),
          )}
        </ul>
      )}
    </section>
  );
}

/** What the grounding or the work order says more of. */
const isOfWorkshop = (rule: string): boolean => rule === "aircraft_grounded" || rule === "out_of_service";

type Action = "confirm" | "check-in" | "undo-check-in" | "complete" | "no-show";

interface ActionsProps {
  session: PlanningSession;
  onChange: () => void;
  onCancel: () => void;
}

function Actions({ session, onChange, onCancel }: ActionsProps) {
  const words = planningText();
  const { status, start_at } = session;
  const isOnThatDay = dayOf(new Date(start_at)) <= today();
  const hasBegun = Date.parse(start_at) <= Date.now();
  const run = (action: Action) => async () => {
    try {
      const path = { sessionId: session.id };
      await act(`POST /orgs/{orgId}/planning/sessions/{sessionId}/${action}`, { path }, session);
      toast(words.done[action]);
      await changed("/planning", "/today", "/flights");
    } catch (problem) {
      failed(problem);
    }
  };
  const isAhead = status === "requested" || status === "planned";
  return (
    <div class="form-actions">
      {status === "requested" && (
        <Button kind="primary" onClick={run("confirm")}>
          {words.actions.confirm}
        </Button>
      )}
      {status === "planned" && isOnThatDay && (
        <Button kind="primary" onClick={run("check-in")}>
          {words.actions.checkIn}
        </Button>
      )}
      {status === "checked_in" && hasBegun && (
        <Button kind="primary" onClick={run("complete")}>
          {words.actions.complete}
        </Button>
      )}
      {status === "checked_in" && <Button onClick={run("undo-check-in")}>{words.actions.undoCheckIn}</Button>}
      {isAhead && <Button onClick={onChange}>{words.change}</Button>}
      {status === "planned" && hasBegun && <Button onClick={run("no-show")}>{words.actions.noShow}</Button>}
      {isAhead && (
        <Button kind="danger" onClick={onCancel}>
          {words.actions.cancel}
        </Button>
      )}
    </div>
  );
}
