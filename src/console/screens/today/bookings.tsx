/** Who flies what now and next. What is over is quiet, what goes on is marked. */
import type { ComponentChildren } from "preact";
import type { PlanningSession, Today } from "../../api/operations.ts";
import { dayOf, formatTime, formatWeekday } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { organization } from "../../app/session.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { addressOf } from "../planning/shown.ts";

/** What says more than that a session is planned. */
const tones: Partial<Record<PlanningSession["status"], Tone>> = {
  requested: "warn",
  checked_in: "info",
  completed: "good",
  no_show: "bad",
};

type Sessions = NonNullable<Today["bookings"]>;

/** While so many of the day are not over, nobody asks for those of the next. */
const enough = 3;

export function Bookings({ bookings, coming }: { bookings: Sessions; coming: Sessions | null }) {
  const { today: words } = text();
  if (!may("planning:read"))
    return (
      <Sessions
        title={words.ownBookings}
        sessions={bookings}
        empty={words.noOwnBookings}
        hasDays
        actions={
          may("planning:book") && (
            <a class="button plain" href="/app/bookings/new">
              {words.book}
            </a>
          )
        }
      />
    );
  const left = bookings.rows.filter(({ end_at }) => Date.parse(end_at) > Date.now());
  return (
    <>
      <Sessions
        title={words.bookings}
        sessions={bookings}
        empty={words.noBookings}
        actions={
          <a class="button plain" href="/app/planning">
            {text().areas.planning}
          </a>
        }
      />
      {coming && coming.rows.length > 0 && left.length < enough && (
        <Sessions title={words.coming} sessions={coming} empty="" hasDays />
      )}
    </>
  );
}

interface SessionsProps {
  title: string;
  sessions: Sessions;
  empty: string;
  /** They are of several days. */
  hasDays?: boolean;
  actions?: ComponentChildren;
}

function Sessions({ title, sessions, empty, hasDays = false, actions }: SessionsProps) {
  const { today: words } = text();
  return (
    <Section title={title} actions={actions}>
      <Rows
        label={title}
        most={14}
        empty={empty}
        rows={sessions.rows
          .filter(({ status }) => status !== "cancelled")
          .map((session) => ({
            id: session.id,
            href: may("planning:read") ? addressOf(session) : "/app/bookings",
            title: (
              <>
                <span class="when">
                  {hasDays && `${formatWeekday(dayOf(new Date(session.start_at)))}, `}
                  {formatTime(session.start_at)}–{formatTime(session.end_at)}{" "}
                </span>
                {unbroken(nameOf(session, "aircraft") ?? session.title ?? words.kinds[session.kind])}
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

/** In a list of their own bookings nobody needs their name. */
const isOwn = ({ id }: Resource): boolean => !may("planning:read") && id === organization.value?.person_id;

/** Students first, then the instructor. */
const peopleOf = ({ resources }: PlanningSession): string =>
  (["student", "instructor", "room"] as const)
    .flatMap((type) => resources.filter((one) => one.type === type && !isOwn(one)).map(({ name }) => name))
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
