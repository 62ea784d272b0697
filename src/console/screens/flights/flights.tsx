/** All flights that the reader may see, newest first. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { formatDateWithDay, formatDuration, formatTime, zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Choice } from "../../ui/choice.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { DayChoice } from "../../ui/day-choice.tsx";
import { Download } from "../../ui/download.tsx";
import { Icon } from "../../ui/icon.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { Empty } from "../../ui/states.tsx";
import { usePeople } from "../people/use-people.ts";
import { crewOf, dayOfFlight, Odd, routeOf, StatusBadge, statuses } from "./parts.tsx";

const orders = ["-off_block_at", "off_block_at"] as const;

export default function Flights() {
  const { flights: words } = text();
  const { query } = place.value;
  const status = statuses.find((one) => one === query.get("status"));
  const aircraft = query.get("aircraft") ?? undefined;
  const person = query.get("person") ?? undefined;
  const from = query.get("from") ?? "";
  const to = query.get("to") ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const fleet = useResource(may("aircraft:read") ? "GET /orgs/{orgId}/aircraft" : undefined, {
    query: { limit: 500 },
  });
  const filters = {
    ...(status && { status }),
    ...(aircraft !== undefined && { aircraft_id: aircraft }),
    ...(person !== undefined && { person_id: person }),
    ...(from !== "" && { from: instantAt(from, "00:00", zone()) }),
    ...(to !== "" && { to: instantAt(dayAfter(to), "00:00", zone()) }),
    ...chosenOrder(orders),
  };
  const flights = useResource("GET /orgs/{orgId}/flights", {
    query: { limit: pageLimit, ...filters, ...(cursor !== undefined && { cursor }) },
  });
  const all = { value: "", label: words.all };
  const filter = (name: string) => (value: string) => setQuery({ [name]: value, cursor: undefined });
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Download from="GET /orgs/{orgId}/flights" as="csv" query={filters} name="flights.csv">
            {text().actions.csv}
          </Download>
          {may("flights:import") && (
            <a class="button" href="/app/flights/import">
              <Icon name="upload" />
              {words.import}
            </a>
          )}
          {may("flights:approve") && (
            <a class="button" href="/app/flights/approvals">
              <Icon name="check" />
              {words.approvals}
            </a>
          )}
          {may("flights:submit") && (
            <a class="button primary" href="/app/flights/new">
              <Icon name="plus" />
              {words.add}
            </a>
          )}
        </div>
      </div>
      <search class="filters">
        <Choice
          label={words.status}
          value={status ?? ""}
          options={[all, ...statuses.map((value) => ({ value, label: words.statuses[value] }))]}
          onChange={filter("status")}
        />
        {may("aircraft:read") && (
          <Choice
            label={words.aircraft}
            value={aircraft ?? ""}
            options={[
              all,
              ...(fleet.data?.data ?? []).map(({ id, registration }) => ({ value: id, label: registration })),
            ]}
            onChange={filter("aircraft")}
          />
        )}
        {may("people:read") && (
          <PersonFilter chosen={person ?? ""} flights={flights.data?.data ?? []} onChoose={filter("person")} />
        )}
        <DayChoice label={words.from} value={from} max={to} onChange={filter("from")} />
        <DayChoice label={words.to} value={to} min={from} onChange={filter("to")} />
      </search>
      <List<Flight>
        label={words.title}
        resource={flights}
        filters={["status", "aircraft", "person", "from", "to"]}
        order="-off_block_at"
        href={({ id }) => `/app/flights/${id}`}
        columns={[
          {
            label: words.day,
            cell: (flight) =>
              flight.off_block_at === null ? (
                dayOfFlight(flight)
              ) : (
                <span class="on-one-line">
                  {formatDateWithDay(flight.off_block_at)} <span class="quiet">{formatTime(flight.off_block_at)}</span>
                </span>
              ),
            orders: ["-off_block_at", "off_block_at"],
          },
          {
            label: words.aircraft,
            cell: ({ aircraft: { registration } }) => <span class="on-one-line">{registration}</span>,
          },
          { label: words.crew, cell: crewOf },
          { label: words.route, cell: (flight) => <span class="on-one-line">{routeOf(flight)}</span> },
          {
            label: words.block,
            cell: ({ block_minutes }) => (block_minutes === null ? "" : formatDuration(block_minutes)),
            isNumber: true,
          },
          { label: words.status, cell: ({ status: is }) => <StatusBadge status={is} /> },
          { label: words.marks, cell: (flight) => <Odd {...flight} /> },
        ]}
        empty={<Empty title={words.empty}>{words.emptyHint}</Empty>}
      />
    </>
  );
}

interface PersonFilterProps {
  chosen: string;
  flights: readonly Flight[];
  onChoose: (id: string) => void;
}

/** Finds the flights of one person. */
function PersonFilter({ chosen, flights, onChoose }: PersonFilterProps) {
  const { flights: words } = text();
  const value = useSignal(chosen);
  const typed = useSignal("");
  const { people } = usePeople(typed.value);
  useEffect(() => {
    value.value = chosen;
  }, [chosen]);
  const options = useMemo(() => {
    const names = new Map(people.map(({ id, name }) => [id, name]));
    // By a link, also of somebody who is no longer active.
    for (const { person_id, name } of flights.flatMap(({ crew }) => crew))
      if (person_id === chosen) names.set(person_id, name);
    return [...names].map(([id, label]) => ({ value: id, label }));
  }, [people, flights, chosen]);
  return (
    <Combobox
      name="person"
      label={words.crew}
      aside=""
      placeholder={words.all}
      value={value}
      options={options}
      onChoose={onChoose}
      onType={(said) => {
        typed.value = said;
      }}
    />
  );
}
