/** The bookings that an item leaves no hours or days for, unless it is done before. */
import type { PlanningSession } from "../../api/operations.ts";
import { formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { spanOf } from "../bookings/times.ts";
import type { DueItem } from "./fleet-due.tsx";
import { maintenanceText } from "./words.ts";

const isFlown = ({ kind, status }: PlanningSession): boolean =>
  (kind === "flight" || kind === "lesson") && ["requested", "planned", "checked_in"].includes(status);

export function BeyondDialog({ item, onClose }: { item: DueItem; onClose: () => void }) {
  const words = maintenanceText();
  const { person } = text();
  const { aircraft_id, aircraft_registration: registration, name, beyond_from: from, booked_on } = item;
  const sessions = useResource("GET /orgs/{orgId}/planning/sessions", {
    query: { aircraft_id, limit: 100, ...(from !== null && { from }) },
  });
  return (
    <Dialog title={words.beyondTitle(registration, name)} onClose={onClose}>
      <p>{booked_on === null ? words.beyondNow : words.beyondFrom(formatDay(booked_on))}</p>
      <Loaded resource={sessions}>
        {({ data }) => (
          <Rows
            label={words.beyond}
            empty={words.noneBeyond}
            most={12}
            rows={data.filter(isFlown).map((session) => ({
              id: session.id,
              title: spanOf(session.start_at, session.end_at),
              detail: [
                person.bookingKinds[session.kind],
                ...session.resources.filter(({ id }) => id !== aircraft_id).map((one) => one.name),
              ].join(" · "),
            }))}
          />
        )}
      </Loaded>
      {may("maintenance:manage") && (
        <div class="form-actions">
          <a
            class="button primary"
            href={`/app/maintenance/work-orders/new?aircraft=${aircraft_id}&item=${item.item_id}`}
          >
            {words.openOrder}
          </a>
        </div>
      )}
    </Dialog>
  );
}
