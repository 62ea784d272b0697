/** Whether those on board may fly: asked while the flight is typed, before anything is saved. */
import type { Clearance, FlightDraft } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { lengthsOf } from "./entry.ts";

const tones: Record<Clearance["decision"], Tone> = { clear: "good", warn: "warn", block: "bad" };

interface CrewClearanceProps {
  body: FlightDraft;
  /** The person of the account, who may ask about themselves. */
  self: string | undefined;
  nameOf: (personId: string) => string | undefined;
}

export function CrewClearance({ body, self, nameOf }: CrewClearanceProps) {
  const { flights: words } = text();
  const asked = (body.crew ?? []).filter(({ person_id }) => may("compliance:read") || person_id === self);
  if (body.aircraft_id === "" || asked.length === 0) return null;
  return (
    <section class="section" aria-labelledby="clearance">
      <h2 id="clearance">{words.findings}</h2>
      <ul class="oddities">
        {asked.map(({ person_id, function: as }) => (
          <Member key={person_id} body={body} person={person_id} as={as} name={nameOf(person_id)} />
        ))}
      </ul>
    </section>
  );
}

interface MemberProps {
  body: FlightDraft;
  person: string;
  as: Clearance["function"];
  name: string | undefined;
}

function Member({ body, person, as, name }: MemberProps) {
  const { flights: words } = text();
  const { block } = lengthsOf(body);
  const { data } = useResource("GET /orgs/{orgId}/clearance", {
    query: {
      ...{ aircraft_id: body.aircraft_id, person_id: person, function: as },
      ...(body.off_block_at && { at: body.off_block_at }),
      ...(block !== undefined && block > 0 && block <= 1440 && { minutes: block }),
      ...(as !== "solo" && { passengers: body.passengers ?? 0 }),
      ...((body.night_minutes ?? 0) + (body.night_landings ?? 0) > 0 && { night: true }),
    },
  });
  if (!data) return null;
  const { decision, reasons } = data.data;
  return (
    <li>
      <Badge tone={tones[decision]}>{words.decisions[decision]}</Badge>
      <strong>{name}</strong>
      {reasons.length > 0 && (
        <ul class="plain-list small reasons">
          {reasons.map(({ rule, record_id }) => (
            <li key={`${rule} ${record_id}`}>{words.rules[rule]}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
