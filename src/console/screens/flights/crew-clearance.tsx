/** Whether those on board may fly: asked while the flight is typed, before anything is saved. */
import type { Clearance, FlightDraft } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { decisionOf, sentenceOf, tones } from "../compliance/decisions.ts";
import { useTypeNames } from "../compliance/type-names.ts";
import { lengthsOf } from "./entry.ts";

interface CrewClearanceProps {
  body: FlightDraft;
  /** The person of the account, who may ask about themselves. */
  self: string | undefined;
  nameOf: (personId: string) => string | undefined;
}

export function CrewClearance({ body, self, nameOf }: CrewClearanceProps) {
  const { flights: words } = text();
  const asked = (body.crew ?? []).filter(({ person_id }) => may("compliance:read") || person_id === self);
  const [first] = asked;
  if (body.aircraft_id === "" || first === undefined) return null;
  return (
    <section class="section" aria-labelledby="clearance">
      <h2 id="clearance">{words.findings}</h2>
      <ul class="oddities">
        <Aircraft body={body} member={first} />
        {asked.map((member) => (
          <Member key={member.person_id} body={body} member={member} name={nameOf(member.person_id)} />
        ))}
      </ul>
    </section>
  );
}

interface AskProps {
  body: FlightDraft;
  member: NonNullable<FlightDraft["crew"]>[number];
}

function useClearance({ body, member: { person_id, function: as } }: AskProps): Clearance | undefined {
  const { block } = lengthsOf(body);
  return useResource("GET /orgs/{orgId}/clearance", {
    query: {
      ...{ aircraft_id: body.aircraft_id, person_id, function: as },
      ...(body.off_block_at && { at: body.off_block_at }),
      ...(block !== undefined && block > 0 && block <= 1440 && { minutes: block }),
      ...(as !== "solo" && { passengers: body.passengers ?? 0 }),
      ...(as === "solo" && body.supervisor_id && { supervisor_id: body.supervisor_id }),
      ...((body.night_minutes ?? 0) + (body.night_landings ?? 0) > 0 && { night: true }),
    },
  }).data?.data;
}

/** What is wrong with the aircraft, which each answer says, once. */
function Aircraft(props: AskProps) {
  const asked = useClearance(props);
  const reasons = asked?.reasons.filter(({ subject }) => subject === "aircraft") ?? [];
  return asked && reasons.length > 0 ? <Standing name={asked.aircraft.registration} reasons={reasons} /> : null;
}

function Member({ name, ...props }: AskProps & { name: string | undefined }) {
  const asked = useClearance(props);
  return asked ? (
    <Standing name={name} reasons={asked.reasons.filter(({ subject }) => subject !== "aircraft")} />
  ) : null;
}

type Reasons = Clearance["reasons"];

function Standing({ name, reasons }: { name: string | undefined; reasons: Reasons }) {
  const { flights: words } = text();
  const nameOfTypes = useTypeNames();
  const decision = decisionOf(reasons);
  return (
    <li>
      <Badge tone={tones[decision]}>{words.decisions[decision]}</Badge>
      <strong>{name}</strong>
      {reasons.length > 0 && (
        <ul class="plain-list small reasons">
          {reasons.map((reason) => (
            <li key={`${reason.rule} ${reason.needed?.any_of}`}>{sentenceOf(reason, nameOfTypes)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
