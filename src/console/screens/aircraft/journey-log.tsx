/** The last flights of an aircraft with its counters after each, and the journey log as a file (ML.A.305). */
import { daysAgo } from "../../app/days.ts";
import { formatCounter, formatDay, formatDuration, formatRoute } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Book } from "../../ui/book.tsx";
import { Loaded } from "../../ui/section.tsx";

const book = "GET /orgs/{orgId}/aircraft/{aircraftId}/journey-log";

/** Days that are shown. */
const recent = 90;

/** Flights that are shown. The file has all. */
const most = 12;

export function JourneyLog({ aircraftId }: { aircraftId: string }) {
  const { aircraft: words } = text();
  const path = { aircraftId };
  const log = useResource(book, {
    path,
    query: { from: `${daysAgo(recent)}T00:00:00Z`, limit: 500 },
  });
  return (
    <Book title={words.journeyLog} from={book} path={path} name="journey-log">
      <Loaded resource={log}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{words.noJourneys(recent)}</p>
          ) : (
            <table class="table plain" aria-label={words.journeyLog}>
              <thead>
                <tr>
                  <th scope="col">{words.day}</th>
                  <th scope="col">{words.route}</th>
                  <th scope="col">{words.crew}</th>
                  <th scope="col" class="number">
                    {words.block}
                  </th>
                  <th scope="col" class="number">
                    {words.hobbsAfter}
                  </th>
                  <th scope="col" class="number desk">
                    {words.airframeAfter}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data
                  .toReversed()
                  .slice(0, most)
                  .map((flight) => (
                    <tr key={flight.flight_id}>
                      <th scope="row">{formatDay(flight.date)}</th>
                      <td>{formatRoute(flight.departure, flight.arrival)}</td>
                      <td>{flight.crew.map(({ name }) => name).join(", ")}</td>
                      <td class="number">
                        {flight.block_minutes === null ? "" : formatDuration(flight.block_minutes)}
                      </td>
                      <td class="number">{flight.hobbs_end === null ? "" : formatCounter(flight.hobbs_end)}</td>
                      <td class="number desk">{formatDuration(flight.airframe_total_minutes)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Book>
  );
}
