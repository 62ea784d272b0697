/** A person's flights: the totals of the logbook, the last ones, and the book as a file (FCL.050). */
import { daysAgo } from "../../app/days.ts";
import { formatCount, formatDay, formatDuration, formatRoute } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Book } from "../../ui/book.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";

const book = "GET /orgs/{orgId}/people/{personId}/logbook";

/** Days that are shown: the time in which FCL.060 counts landings. */
const recent = 90;

export function Logbook({ personId }: { personId: string }) {
  const { person: words } = text();
  const path = { personId };
  const logbook = useResource(book, {
    path,
    query: { from: `${daysAgo(recent)}T00:00:00Z`, limit: 500 },
  });
  return (
    <Book title={words.logbook} from={book} path={path} name="logbook">
      <Loaded resource={logbook}>
        {({ data, to_date: totals }) => (
          <>
            <dl class="figures">
              {figuresOf(totals).map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <h3>{words.recent(recent)}</h3>
            <Rows
              label={words.recent(recent)}
              empty={words.noFlights(recent)}
              rows={data.toReversed().map((entry) => ({
                id: entry.flight_id,
                ...(may("flights:read", "flights:read_own") && { href: `/app/flights/${entry.flight_id}` }),
                title: `${formatDay(entry.date)} · ${entry.aircraft.registration}`,
                detail: [
                  formatRoute(entry.departure, entry.arrival),
                  words.functions[entry.function],
                  entry.pic_name !== null && entry.function === "dual" && entry.pic_name,
                ]
                  .filter(Boolean)
                  .join(" · "),
                aside: formatDuration(entry.total_minutes + entry.simulator_minutes),
              }))}
            />
            {may("flights:read") && (
              <p>
                <a href={`/app/flights?person=${personId}`}>{words.allFlights}</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Book>
  );
}

interface Totals {
  total_minutes: number;
  pic_minutes: number;
  dual_minutes: number;
  instructor_minutes: number;
  night_minutes: number;
  day_landings: number;
  night_landings: number;
}

/** The total and the landings; of the others, what the person has. */
function figuresOf(totals: Totals) {
  const { totals: words } = text().person;
  const hours = [
    { label: words.pic, minutes: totals.pic_minutes },
    { label: words.dual, minutes: totals.dual_minutes },
    { label: words.instructor, minutes: totals.instructor_minutes },
    { label: words.night, minutes: totals.night_minutes },
  ].filter(({ minutes }) => minutes > 0);
  return [
    { label: words.total, value: formatDuration(totals.total_minutes) },
    ...hours.map(({ label, minutes }) => ({ label, value: formatDuration(minutes) })),
    { label: words.landings, value: formatCount(totals.day_landings + totals.night_landings) },
  ];
}
