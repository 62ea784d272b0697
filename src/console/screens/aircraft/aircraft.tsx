/** One aircraft: whether it can fly, what is due, its defects, its counters and its log. */
import { useSignal } from "@preact/signals";
import type { Aircraft, AircraftChange } from "../../api/operations.ts";
import { change, type Merging, type Seen } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import type { Values } from "../../app/merge.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Standing } from "../compliance/standing.tsx";
import { Defects } from "../maintenance/defects.tsx";
import { Maintenance } from "../maintenance/items.tsx";
import { useBlockingOrders } from "../maintenance/use-blocking-orders.ts";
import { useInWork } from "../maintenance/use-in-work.ts";
import { titleOf, WorkOrders } from "../maintenance/work-orders.tsx";
import { Counters } from "./counters.tsx";
import { Details } from "./details.tsx";
import { GroundDialog, Groundings, PastGroundings } from "./groundings.tsx";
import { JourneyLog } from "./journey-log.tsx";
import { NoBookings } from "./no-bookings.tsx";
import { AircraftStatus } from "./status.tsx";

export default function AircraftPage({ aircraftId = "" }: Parameters) {
  const { aircraft: words, actions } = text();
  const path = { aircraftId };
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/aircraft/{aircraftId}", { path });
  const order = useInWork(aircraftId).get(aircraftId);
  const { isBlocked, ...blocking } = useBlockingOrders(aircraftId);
  const isGrounding = useSignal(false);
  const aircraft = data?.data;
  if (problem !== undefined && !aircraft) return <ProblemNotice error={problem} retry={reload} />;

  const save = async (body: AircraftChange | Values, seen: Seen & Merging) => {
    await change("/orgs/{orgId}/aircraft/{aircraftId}", path, body, seen);
    await changed("/aircraft", "/maintenance", "/compliance/evaluations");
  };
  const setStatus = async (before: Aircraft) => {
    const { registration } = before;
    const [status, other] =
      before.status === "archived" ? (["available", "archived"] as const) : (["archived", "available"] as const);
    const fields = {
      status: { label: words.status, shown: (value: unknown) => words.statuses[value as Aircraft["status"]] },
    };
    await save({ status }, { before, fields });
    toast(status === "available" ? words.restored(registration) : words.archived(registration), {
      label: actions.undo,
      run: () => save({ status: other }, { before: { ...before, status }, fields }),
    });
  };
  const isArchived = aircraft?.status === "archived";
  const canEdit = may("aircraft:manage") && aircraft !== undefined && !isArchived;

  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{aircraft?.registration ?? <Skeleton lines={1} />}</h1>
            {aircraft && (
              <AircraftStatus aircraft={aircraft} isInWork={order !== undefined} isBlocked={isBlocked(aircraftId)} />
            )}
            {order && aircraft?.status === "grounded" && (
              <a class="small" href={`/app/maintenance/work-orders/${order.id}`}>
                {titleOf(order)}
              </a>
            )}
          </div>
          <p class="quiet">{aircraft ? subtitleOf(aircraft) : "\u00a0"}</p>
        </div>
        {may("aircraft:manage") && aircraft && (
          <div class="actions">
            {!isArchived && (
              <Button
                onClick={() => {
                  isGrounding.value = true;
                }}
              >
                {words.ground}
              </Button>
            )}
            <Button onClick={() => setStatus(aircraft)}>{isArchived ? actions.restore : actions.archive}</Button>
          </div>
        )}
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {isArchived && <div class="notice info">{words.archivedNotice}</div>}
      <NoBookings {...blocking} status={aircraft?.status} />
      {aircraft && <Groundings aircraft={aircraft} />}
      <div class="columns">
        <div>
          {may("maintenance:read") && <Maintenance {...{ aircraftId, aircraft }} />}
          {may("maintenance:read", "defects:report") && <Defects {...{ aircraftId, aircraft }} />}
          {may("maintenance:read") && <WorkOrders {...{ aircraftId, aircraft }} />}
          {may("flights:read") && <JourneyLog aircraftId={aircraftId} />}
        </div>
        <div>
          <Counters {...{ aircraftId, aircraft, canEdit, save }} />
          {aircraft && <Details {...{ aircraft, canEdit, save }} />}
          {may("compliance:read", "compliance:read_aircraft") && (
            <Standing subject={{ aircraft_id: aircraftId }} title={words.documents} />
          )}
          <PastGroundings aircraftId={aircraftId} />
        </div>
      </div>
      {isGrounding.value && (
        <GroundDialog
          aircraftId={aircraftId}
          onClose={() => {
            isGrounding.value = false;
          }}
        />
      )}
    </>
  );
}

const subtitleOf = ({ model, icao_type, serial_number }: Aircraft): string =>
  [model, icao_type, serial_number !== null && text().aircraft.serialNo(serial_number)].filter(Boolean).join(" · ");
