/** Defects with which aircraft may still fly: until when, and for how long. What runs out first stands first. */
import type { Defect } from "../../api/operations.ts";
import { daysUntil } from "../../app/days.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { DefectActions } from "./defect-actions.tsx";
import { maintenanceText } from "./words.ts";

/** From here on it runs out soon. */
const soon = { days: 7, minutes: 300 };

interface Left {
  defect: Defect;
  days: number | null;
  minutes: number | null;
  tone: Tone;
}

export function Deferrals() {
  const words = maintenanceText();
  const defects = useResource("GET /orgs/{orgId}/maintenance/defects", { query: { status: "deferred", limit: 100 } });
  const aircraft = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const flown = new Map(aircraft.data?.data.map((one) => [one.id, one.airframe_minutes]));
  return (
    <Section title={words.deferrals}>
      <Loaded resource={defects}>
        {({ data }) => (
          <Rows
            label={words.deferrals}
            empty={words.noDeferrals}
            rows={data
              .map((defect) => leftOf(defect, flown.get(defect.aircraft_id)))
              .toSorted((a, b) => rankOf(a) - rankOf(b))
              .map(({ defect, tone, ...left }) => ({
                id: defect.id,
                title: defect.description,
                href: `/app/maintenance/work-orders/${defect.work_order_id}`,
                detail: (
                  <>
                    {[
                      defect.aircraft_registration,
                      defect.deferred_until !== null && words.until(formatDay(defect.deferred_until)),
                      defect.deferral_reason,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                    {/* Beside the buttons it would push one of them below the other on a phone. */}
                    <span class="title-line">
                      <Badge tone={tone}>{saidOf(left)}</Badge>
                    </span>
                  </>
                ),
                aside: <DefectActions defect={defect} />,
              }))}
          />
        )}
      </Loaded>
    </Section>
  );
}

function leftOf(defect: Defect, airframe: number | undefined): Left {
  const { deferred_until: until, deferred_until_airframe_minutes: limit } = defect;
  const days = until === null ? null : daysUntil(until);
  const minutes = limit === null || airframe === undefined ? null : limit - airframe;
  const isOver = (days ?? 0) < 0 || (minutes ?? 0) < 0;
  const isNear = (days ?? soon.days) < soon.days || (minutes ?? soon.minutes) < soon.minutes;
  return { defect, days, minutes, tone: isOver ? "bad" : isNear ? "warn" : "info" };
}

/** As shares of what counts as soon. */
const rankOf = ({ days, minutes }: Pick<Left, "days" | "minutes">): number =>
  Math.min(
    days === null ? Number.POSITIVE_INFINITY : days / soon.days,
    minutes === null ? Number.POSITIVE_INFINITY : minutes / soon.minutes,
  );

function saidOf({ days, minutes }: Pick<Left, "days" | "minutes">): string {
  const words = maintenanceText();
  if ((days ?? 0) < 0 || (minutes ?? 0) < 0) return words.deferralOver;
  return [days !== null && words.daysLeft(days), minutes !== null && words.flyingLeft(formatDuration(minutes))]
    .filter(Boolean)
    .join(" · ");
}
