/** Who did what with a flight, newest first. Readers of the audit log see what was changed, too. */
import type { Flight } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";

interface Step {
  at: string;
  action: string;
  by?: string | null;
  changed?: readonly string[];
}

export function History({ flight }: { flight: Flight }) {
  const { flights: words } = text();
  const audit = useResource(may("audit:read") ? "GET /orgs/{orgId}/audit-log" : undefined, {
    query: { subject_id: flight.id, subject_kind: "flight", limit: 100 },
  });
  const steps = audit.data ? audit.data.data.map(stepOf) : known(flight);
  return (
    <section class="section" aria-labelledby="history">
      <h2 id="history">{words.history}</h2>
      <ol class="history">
        {steps.map(({ at, action, by, changed }) => (
          <li key={`${at} ${action}`}>
            <span class="quiet">{formatDateTime(at)}</span>
            <span>
              <strong>{words.actions[action] ?? action}</strong>
              {by && <span> · {by}</span>}
              {changed && changed.length > 0 && <span class="quiet"> · {changed.join(", ")}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Entry = { at: string; action: string; actor: { name: string | null } } & Record<"before" | "after", Values | null>;
type Values = Record<string, unknown>;

function stepOf({ at, action, actor, before, after }: Entry): Step {
  const names = text().flights.fields;
  const isSame = (name: string) => JSON.stringify(before?.[name]) === JSON.stringify(after?.[name]);
  const changed = action === "flight.edited" ? Object.keys(names).filter((name) => !isSame(name)) : [];
  return { at, action, by: actor.name, changed: changed.flatMap((name) => names[name] ?? []) };
}

/** What the flight itself says. */
function known(flight: Flight): Step[] {
  const { created_at, submitted_at, approved_at, rejected_at, reversed_at } = flight;
  const steps: [string, string | null, string | null][] = [
    ["flight.reversed", reversed_at, null],
    ["flight.approved", approved_at, flight.approved_by_name],
    ["flight.rejected", rejected_at, null],
    ["flight.submitted", submitted_at, flight.submitted_by_name],
    ["flight.drafted", created_at, flight.created_by_name],
  ];
  return steps
    .flatMap(([action, at, by]) => (at === null ? [] : [{ action, at, by }]))
    .sort((one, other) => other.at.localeCompare(one.at));
}
