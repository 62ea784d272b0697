/** All people of the school. */
import { useSignal } from "@preact/signals";
import type { Person } from "../../api/operations.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Download } from "../../ui/download.tsx";
import { Icon } from "../../ui/icon.tsx";
import { chosenOrder, List, pageLimit } from "../../ui/list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty } from "../../ui/states.tsx";
import { NewPerson } from "./new-person.tsx";
import { types } from "./types.ts";

/** Who has left is shown to those who look for them. */
const statuses = ["active", "archived", "all"] as const;
const orders = ["name", "-name", "-created_at"] as const;

export default function People() {
  const { people: words, actions } = text();
  const { query } = place.value;
  const type = types.find((one) => one === query.get("type"));
  const isAdding = useSignal(false);
  const status = statuses.find((one) => one === query.get("status")) ?? "active";
  const cursor = query.get("cursor") ?? undefined;
  const q = query.get("q") ?? undefined;
  const filters = {
    ...(type && { type }),
    ...(status !== "all" && { status }),
    ...(q !== undefined && { q }),
    ...chosenOrder(orders),
  };
  const people = useResource("GET /orgs/{orgId}/people", {
    query: { limit: pageLimit, ...filters, ...(cursor !== undefined && { cursor }) },
  });
  const all = { value: "", label: words.all };
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Download from="GET /orgs/{orgId}/people" as="csv" query={filters} name="people.csv">
            {actions.csv}
          </Download>
          {may("people:manage") && (
            <a class="button" href="/app/people/import">
              <Icon name="upload" />
              {actions.import}
            </a>
          )}
          {may("people:manage") && (
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                isAdding.value = true;
              }}
            >
              {words.add}
            </Button>
          )}
        </div>
      </div>
      <search class="filters">
        <SearchField label={words.search} placeholder={words.searchHint} />
        <Choice
          label={words.type}
          value={type ?? ""}
          options={[all, ...types.map((value) => ({ value, label: words.types[value] }))]}
          onChange={(value) => setQuery({ type: value, cursor: undefined })}
        />
        <Choice
          label={words.status}
          value={status}
          options={statuses.map((value) => ({ value, label: words.statuses[value] }))}
          onChange={(value) => setQuery({ status: value === "active" ? undefined : value, cursor: undefined })}
        />
      </search>
      <List<Person>
        label={words.title}
        resource={people}
        filters={["type", "status", "q"]}
        order="name"
        href={({ id }) => `/app/people/${id}`}
        columns={[
          { label: words.name, cell: ({ name }) => name, orders: ["name", "-name"] },
          { label: words.type, cell: (person) => person.types.map((one) => words.types[one]).join(", ") },
          { label: words.email, cell: ({ email }) => email ?? "" },
          { label: words.phone, cell: ({ phone }) => phone ?? "", isDesk: true },
          {
            label: words.status,
            cell: (person) => person.status === "archived" && <Badge tone="neutral">{words.statuses.archived}</Badge>,
          },
          {
            label: words.addedOn,
            cell: ({ created_at }) => formatDate(created_at),
            isDesk: true,
            orders: ["-created_at"],
          },
        ]}
        empty={<Empty title={words.empty}>{words.emptyHint}</Empty>}
      />
      {isAdding.value && (
        <NewPerson
          onClose={() => {
            isAdding.value = false;
          }}
        />
      )}
    </>
  );
}
