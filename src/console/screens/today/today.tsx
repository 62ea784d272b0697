/** What waits for the account today: the day's bookings, and beside them what needs attention. */
import type { Today as TodayAnswer } from "../../api/operations.ts";
import { formatWeekday } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Icon } from "../../ui/icon.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { AircraftInNeed, Defects, Lapses } from "./attention.tsx";
import { Bookings } from "./bookings.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Account, Approvals, Drafts, Waiting } from "./own.tsx";

export default function Today() {
  const { today: words } = text();
  const today = useResource("GET /orgs/{orgId}/today");
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{today.data && formatWeekday(today.data.data.day)}</p>
        </div>
        <div class="actions">
          {may("defects:report") && (
            <a class="button" href="/app/defects/new">
              {text().aircraft.reportTitle}
            </a>
          )}
          {may("flights:submit") && (
            <a class="button" href="/app/flights/new">
              <Icon name="plus" />
              {text().flights.add}
            </a>
          )}
        </div>
      </div>
      {may("organization:manage") && <FirstSteps />}
      <Loaded resource={today} lines={8}>
        {({ data }) => <Parts today={data} />}
      </Loaded>
    </>
  );
}

/** Nothing is in any other part than the bookings. The account is no task. */
const isQuiet = ({ approvals, drafts, aircraft, defects, lapses, ...counts }: TodayAnswer): boolean =>
  [approvals, drafts, aircraft, defects, lapses].every((part) => part === null || part.count === 0) &&
  [counts.signoffs, counts.wishes, counts.failing_endpoints].every((count) => count === null || count === 0);

/** A part that has nothing to say is left out, but for the day's bookings. */
const Parts = ({ today }: { today: TodayAnswer }) => (
  <div class="columns today">
    <div>
      {today.bookings && <Bookings bookings={today.bookings} coming={today.coming} />}
      {today.approvals && today.approvals.count > 0 && <Approvals approvals={today.approvals} />}
      {today.drafts && today.drafts.count > 0 && <Drafts drafts={today.drafts} />}
    </div>
    <div>
      {isQuiet(today) && (
        <Section title={text().today.waiting}>
          <p class="quiet">{text().today.nothingWaits}</p>
        </Section>
      )}
      <Waiting today={today} />
      {today.account && <Account account={today.account} />}
      {today.aircraft && today.aircraft.count > 0 && <AircraftInNeed aircraft={today.aircraft} />}
      {today.defects && today.defects.count > 0 && <Defects defects={today.defects} />}
      {today.lapses && today.lapses.count > 0 && <Lapses lapses={today.lapses} />}
    </div>
  </div>
);
