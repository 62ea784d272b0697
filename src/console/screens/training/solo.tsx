/** The solo flights of a training, and the instructor who authorized and supervised each (FCL.020). */
import type { Enrollment } from "../../api/operations.ts";
import { formatDate, formatDuration, formatRoute } from "../../app/format.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { trainingText } from "./words.ts";

export function SoloFlights({ enrollment }: { enrollment: Enrollment }) {
  const words = trainingText();
  const flights = useResource(may("flights:read", "flights:read_own") ? "GET /orgs/{orgId}/flights" : undefined, {
    query: { enrollment_id: enrollment.id, limit: 500 },
  });
  const solos = (flights.data?.data ?? []).filter(
    ({ status, crew }) =>
      status !== "rejected" && status !== "reversed" && crew.some(({ function: as }) => as === "solo"),
  );
  if (solos.length === 0) return null;
  return (
    <Section title={words.soloFlights}>
      <Rows
        label={words.soloFlights}
        empty=""
        most={4}
        rows={solos.map(({ id, off_block_at, aircraft, departure, arrival, block_minutes, supervisor_name }) => ({
          id,
          href: `/app/flights/${id}`,
          title: [off_block_at && formatDate(off_block_at), aircraft.registration].filter(Boolean).join(" · "),
          detail: [
            formatRoute(departure, arrival),
            block_minutes !== null && formatDuration(block_minutes),
            supervisor_name !== null && words.supervisedBy(supervisor_name),
          ]
            .filter(Boolean)
            .join(" · "),
          aside: supervisor_name === null && <Badge tone="warn">{words.noSupervisor}</Badge>,
        }))}
      />
    </Section>
  );
}
