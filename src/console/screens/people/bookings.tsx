/** What a person has booked, the next first. */
import { useMemo } from "preact/hooks";
import { dayOf, formatTime, formatWeekday } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { addressOf, newBookingFor } from "../planning/shown.ts";

const isAhead = (status: string) => status === "requested" || status === "planned" || status === "checked_in";

export function Bookings({ personId }: { personId: string }) {
  const { person: words } = text();
  // To the minute, so that the answer is found again.
  const from = useMemo(() => `${new Date().toISOString().slice(0, 16)}:00.000Z`, []);
  const sessions = useResource("GET /orgs/{orgId}/planning/sessions", {
    query: { person_id: personId, from, limit: 20 },
  });
  return (
    <Section
      title={words.bookings}
      actions={
        may("planning:manage") && (
          <a class="button plain" href={newBookingFor(personId)}>
            {text().today.book}
          </a>
        )
      }
    >
      <Loaded resource={sessions}>
        {({ data }) => (
          <Rows
            label={words.bookings}
            empty={words.noBookings}
            most={3}
            rows={data
              .filter(({ status }) => isAhead(status))
              .map(({ id, kind, title, start_at, end_at, status, resources }) => ({
                id,
                href: may("planning:read") ? addressOf({ id, start_at }) : "/app/bookings",
                title: `${formatWeekday(dayOf(new Date(start_at)))}, ${formatTime(start_at)}–${formatTime(end_at)}`,
                detail: unbroken(
                  [
                    [words.bookingKinds[kind], title].filter(Boolean).join(" "),
                    ...resources.filter((one) => one.id !== personId).map(({ name }) => name),
                  ].join(" · "),
                ),
                aside: status !== "planned" && isKnown(status) && (
                  <Badge tone="info">{words.bookingStatuses[status]}</Badge>
                ),
              }))}
          />
        )}
      </Loaded>
    </Section>
  );
}

const isKnown = (status: string): status is "requested" | "checked_in" =>
  status === "requested" || status === "checked_in";
