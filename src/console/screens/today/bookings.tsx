/** Who flies what now and next. What is over is quiet, what goes on is marked. */
import type { PlanningSession, Today } from "../../api/operations.ts";
import { formatDate, formatTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";

/** What says more than that a session is planned. */
const tones: Partial<Record<PlanningSession["status"], Tone>> = {
  requested: "warn",
  checked_in: "info",
  completed: "good",
  no_show: "bad",
};

export function Bookings({ bookings }: { bookings: NonNullable<Today["bookings"]> }) {
  const { today: words } = text();
  const ofSchool = may("planning:read");
  const open = bookings.rows.filter(({ status }) => status !== "cancelled");
  return (
    <Section title={ofSchool ? words.bookings : words.ownBookings}>
      <Rows
        label={ofSchool ? words.bookings : words.ownBookings}
        most={14}
        empty={ofSchool ? words.noBookings : words.noOwnBookings}
        rows={open.map((session) => ({
          id: session.id,
          title: (
            <>
              <span class="when">
                {!ofSchool && `${formatDate(session.start_at)} `}
                {formatTime(session.start_at)}–{formatTime(session.end_at)}
              </span>{" "}
              {nameOf(session, "aircraft") ?? session.title ?? words.kinds[session.kind]}
            </>
          ),
          detail: peopleOf(session),
          aside: <State session={session} />,
        }))}
      />
    </Section>
  );
}

type Resource = PlanningSession["resources"][number];

const nameOf = ({ resources }: PlanningSession, type: Resource["type"]): string | undefined =>
  resources.find((one) => one.type === type)?.name;

/** Students first, then the instructor. */
const peopleOf = ({ resources }: PlanningSession): string =>
  (["student", "instructor", "room"] as const)
    .flatMap((type) => resources.filter((one) => one.type === type).map(({ name }) => name))
    .join(" · ");

function State({ session }: { session: PlanningSession }) {
  const { today: words } = text();
  const { status, start_at, end_at } = session;
  const now = Date.now();
  if (status === "planned" && Date.parse(start_at) <= now && now < Date.parse(end_at))
    return <Badge tone="info">{words.now}</Badge>;
  const tone = tones[status];
  return tone ? <Badge tone={tone}>{words.sessions[status]}</Badge> : null;
}
