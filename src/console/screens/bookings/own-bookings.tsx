/** What the caller has booked, what they wait for, and the way to book: for a phone first. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PlanningSession } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { sentenceOf } from "../planning/verdict.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { NextLessons } from "./next-lessons.tsx";
import { spanOf } from "./times.ts";
import { WaitingList } from "./waiting-list.tsx";
import { bookingText } from "./words.ts";

export default function OwnBookings() {
  const words = bookingText();
  const personId = organization.value?.person_id;
  if (!personId) return <Empty title={words.noPerson}>{words.noPersonHint}</Empty>;
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        {may("planning:book") && (
          <div class="actions">
            <a class="button primary" href="/app/bookings/new">
              <Icon name="plus" />
              {words.book}
            </a>
          </div>
        )}
      </div>
      <Ahead personId={personId} />
      <NextLessons personId={personId} />
      {may("planning:book") && <WaitingList personId={personId} />}
    </>
  );
}

const isAhead = ({ status }: PlanningSession) =>
  status === "requested" || status === "planned" || status === "checked_in";

/** Of so many it is asked whether they can take place: what is later may be mended by then. */
const soon = 3;

/** What stops a booking as things are now: nobody comes to the airfield for an aircraft that is in the workshop. */
function Against({ id, resources }: PlanningSession) {
  const { data } = useResource("GET /orgs/{orgId}/planning/sessions/{sessionId}/checks", { path: { sessionId: id } });
  const ownId = organization.value?.person_id;
  const named = resources.filter((one) => one.id !== ownId);
  const sentences = (data?.data ?? []).flatMap((check) => (check.action === "block" ? sentenceOf(check, named) : []));
  return [...new Set(sentences)].map((sentence) => (
    <div key={sentence}>
      <Badge tone="bad">{sentence}</Badge>
    </div>
  ));
}

function Ahead({ personId }: { personId: string }) {
  const words = bookingText();
  const { person } = text();
  const cancelling = useSignal<PlanningSession | undefined>(undefined);
  const set = (session: PlanningSession | undefined) => {
    cancelling.value = session;
  };
  // To the minute, so that the answer is found again.
  const from = useMemo(() => `${new Date().toISOString().slice(0, 16)}:00.000Z`, []);
  const sessions = useResource("GET /orgs/{orgId}/planning/sessions", {
    query: { person_id: personId, from, limit: 50 },
  });
  return (
    <Section title={person.bookings}>
      <Loaded resource={sessions}>
        {({ data }) => (
          <Rows
            label={person.bookings}
            empty={words.none}
            most={20}
            rows={data.filter(isAhead).map((session, index) => {
              const span = spanOf(session.start_at, session.end_at);
              return {
                id: session.id,
                title: span,
                detail: (
                  <>
                    {unbroken(
                      [
                        [person.bookingKinds[session.kind], session.lesson_name ?? session.title]
                          .filter(Boolean)
                          .join(" "),
                        ...session.resources.filter(({ id }) => id !== personId).map(({ name }) => name),
                      ].join(" · "),
                    )}
                    {index < soon && session.status !== "checked_in" && <Against {...session} />}
                  </>
                ),
                aside: (
                  <>
                    {session.status === "requested" && <Badge tone="warn">{words.states.requested}</Badge>}
                    {session.status === "checked_in" && <Badge tone="info">{words.states.checked_in}</Badge>}
                    {session.status !== "checked_in" && may("planning:book") && (
                      <Button kind="plain" onClick={() => set(session)}>
                        {words.cancel}
                        <span class="visually-hidden"> {span}</span>
                      </Button>
                    )}
                  </>
                ),
              };
            })}
          />
        )}
      </Loaded>
      {cancelling.value && <CancelDialog session={cancelling.value} onClose={() => set(undefined)} />}
    </Section>
  );
}
