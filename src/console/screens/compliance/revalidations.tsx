/** Who lacks what for a revalidation until when: those who must begin first. */
import type { PersonRevalidations } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Choice } from "../../ui/choice.tsx";
import { Loaded } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { Head } from "./head.tsx";
import { More } from "./more.tsx";
import type { Item } from "./revalidation-item.tsx";
import { RevalidationItems } from "./revalidation-items.tsx";
import { complianceText } from "./words.ts";

const kinds = ["sep", "tmg", "fi", "lapl_a"] as const;
const views = ["missing", "all"] as const;

export default function Revalidations() {
  const words = complianceText();
  const { query } = place.value;
  const kind = kinds.find((one) => one === query.get("kind"));
  const view = views.find((one) => one === query.get("show")) ?? "missing";
  const cursor = query.get("cursor") ?? undefined;
  const resource = useResource("GET /orgs/{orgId}/compliance/revalidations", {
    query: { limit: 500, ...(cursor !== undefined && { cursor }) },
  });
  const isShown = (item: Item) =>
    (kind === undefined || item.kind === kind) && (view === "all" || item.state === "missing");
  return (
    <>
      <Head hint={words.revalidationsHint} />
      <search class="filters">
        <Choice
          label={words.shown}
          value={view}
          options={views.map((value) => ({ value, label: words.views[value] }))}
          onChange={(value) => setQuery({ show: value === "missing" ? undefined : value })}
        />
        <Choice
          label={words.kind}
          value={kind ?? ""}
          options={[{ value: "", label: words.all }, ...kinds.map((value) => ({ value, label: words.kinds[value] }))]}
          onChange={(value) => setQuery({ kind: value })}
        />
      </search>
      <Loaded resource={resource} lines={8}>
        {({ data, page }) => (
          <>
            <People people={soonestFirst(data, isShown)} />
            <More next={page.next_cursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

function People({ people }: { people: readonly PersonRevalidations[] }) {
  const words = complianceText();
  const { list } = text();
  if (people.length === 0) return <Empty title={list.noMatch}>{words.nothingLacks}</Empty>;
  return (
    <ul class="rows revalidations" aria-label={words.pages.revalidations}>
      {people.map(({ person_id, person_name, items }) => (
        <li key={person_id}>
          <span class="row-title">
            <a href={`/app/people/${person_id}`}>{person_name}</a>
          </span>
          <div class="form">
            <RevalidationItems {...{ person_id, items }} whose={person_name} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Whose last day to begin is nearest comes first; who lacks something now before all. */
function soonestFirst(people: readonly PersonRevalidations[], isShown: (item: Item) => boolean) {
  const first = (items: readonly Item[]) =>
    items.map(({ state, until, begin_by }) => (state === "met" ? "9999" : (begin_by ?? until ?? ""))).sort()[0] ?? "";
  return people
    .map((person) => ({ ...person, items: person.items.filter(isShown) }))
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => first(one.items).localeCompare(first(other.items)));
}
