/** Aircraft that need something, open defects, and records that lapse. */
import type { Today } from "../../api/operations.ts";
import { formatCounter, formatDate, formatDay } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { reasonOf } from "../aircraft/status.tsx";
import { useTypeNames } from "../compliance/type-names.ts";
import { titleWith } from "./own.tsx";

type Part<Name extends keyof Today> = NonNullable<Today[Name]>;

export function AircraftInNeed({ aircraft }: { aircraft: Part<"aircraft"> }) {
  const { today: words } = text();
  return (
    <Section title={titleWith(words.aircraft, aircraft.count)}>
      <Rows
        label={words.aircraft}
        empty=""
        rows={aircraft.rows.map(({ aircraft: { id, registration }, status, groundings, overdue, next }) => ({
          id,
          title: registration,
          href: `/app/aircraft/${id}`,
          detail: groundings[0] ? reasonOf(groundings[0]) : nextOf(next),
          aside:
            status === "grounded" ? (
              <Badge tone="bad">{words.grounded}</Badge>
            ) : (
              <Badge tone={overdue > 0 ? "bad" : "warn"}>{overdue > 0 ? words.overdue : words.dueSoon}</Badge>
            ),
        }))}
      />
    </Section>
  );
}

/** Its name, and what is left until then. */
function nextOf(next: Part<"aircraft">["rows"][number]["next"]): string | undefined {
  const { today: words } = text();
  if (next === null) return undefined;
  const { name, remaining_hours, due_on } = next;
  return [
    name,
    remaining_hours !== null && words.hoursLeft(formatCounter(remaining_hours)),
    due_on !== null && formatDay(due_on),
  ]
    .filter(Boolean)
    .join(" · ");
}

export function Defects({ defects }: { defects: Part<"defects"> }) {
  const { today: words } = text();
  return (
    <Section title={titleWith(words.defects, defects.count)}>
      <Rows
        label={words.defects}
        empty=""
        rows={defects.rows.map(({ id, aircraft, description, reported_at }) => ({
          id,
          title: description,
          href: `/app/aircraft/${aircraft.id}`,
          detail: `${aircraft.registration} · ${formatDate(reported_at)}`,
        }))}
      />
    </Section>
  );
}

export function Lapses({ lapses }: { lapses: Part<"lapses"> }) {
  const { today: words, compliance } = text();
  const namesOf = useTypeNames();
  return (
    <Section title={titleWith(words.lapses, lapses.count)}>
      <Rows
        label={words.lapses}
        empty=""
        rows={lapses.rows.map(
          ({ id, person_id, person_name, aircraft_id, aircraft_registration, status, reasons }) => ({
            id,
            title: person_name ?? aircraft_registration,
            href:
              person_id === null
                ? `/app/aircraft/${aircraft_id}`
                : may("people:read")
                  ? `/app/people/${person_id}`
                  : undefined,
            detail: reasons
              .map(({ any_of, valid_until }) =>
                [valid_until && formatDay(valid_until), namesOf(any_of)].filter(Boolean).join(" · "),
              )
              .join("; "),
            aside: <Badge tone={status === "expiring" ? "warn" : "bad"}>{compliance.statuses[status]}</Badge>,
          }),
        )}
      />
    </Section>
  );
}
