/** Why somebody may or may not fly an aircraft, what would mend it, and the way there. */
import { useSignal } from "@preact/signals";
import type { ClearanceMatrix } from "../../api/operations.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/section.tsx";
import { decisionOf, isAboutStanding, type Reason, sentenceOf, tones } from "./decisions.ts";
import { EnterRecord } from "./enter-record.tsx";
import type { Subject } from "./subject.ts";
import { useTypeNames } from "./type-names.ts";
import { complianceText } from "./words.ts";

interface CellDialogProps {
  person: Pick<ClearanceMatrix["people"][number], "id" | "name">;
  plane: Pick<ClearanceMatrix["aircraft"][number], "id" | "registration">;
  as: ClearanceMatrix["function"];
  onClose: () => void;
}

/** A record that mends it, to be entered here. */
interface Mending {
  subject: Subject;
  type: string;
}

export function CellDialog({ person, plane, as, onClose }: CellDialogProps) {
  const words = complianceText();
  const { flights } = text();
  const mending = useSignal<Mending | undefined>(undefined);
  const types = useResource("GET /orgs/{orgId}/compliance/types").data?.data ?? [];
  const asked = useResource("GET /orgs/{orgId}/clearance", {
    query: { person_id: person.id, aircraft_id: plane.id, function: as },
  });
  if (mending.value) {
    const { subject, type } = mending.value;
    const about = "person_id" in subject ? "person" : "aircraft";
    return (
      <EnterRecord
        {...{ subject, onClose, wanted: type }}
        whose={about === "person" ? person.name : plane.registration}
        types={types.filter((one) => one.subject === about)}
      />
    );
  }
  return (
    <Dialog title={`${person.name} · ${plane.registration}`} onClose={onClose}>
      <Loaded resource={asked}>
        {({ data: { reasons: all, recency } }) => {
          const reasons = all.filter(isAboutStanding);
          const decision = decisionOf(reasons);
          return (
            <>
              <p class="title-line">
                <Badge tone={tones[decision]}>{flights.decisions[decision]}</Badge>
                <span class="quiet">{words.asFunction(flights.functions[as])}</span>
              </p>
              {reasons.length > 0 && (
                <ul class="rows" aria-label={words.reasons}>
                  {reasons.map((reason) => (
                    <Against
                      key={`${reason.rule} ${reason.message}`}
                      {...{ reason, person, plane }}
                      onMend={(next) => {
                        mending.value = next;
                      }}
                    />
                  ))}
                </ul>
              )}
              {recency.length > 0 && (
                <ul class="plain-list quiet small">
                  {recency.map(({ rule, until }) => (
                    <li key={rule}>
                      {words.recentUntil(words.recencies[rule] ?? flights.rules[rule], formatDay(until))}
                    </li>
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </Loaded>
      <div class="form-actions">
        <a class="button" href={`/app/people/${person.id}`}>
          {person.name}
        </a>
        <a class="button" href={`/app/aircraft/${plane.id}`}>
          {plane.registration}
        </a>
      </div>
    </Dialog>
  );
}

interface AgainstProps extends Pick<CellDialogProps, "person" | "plane"> {
  reason: Reason;
  onMend: (mending: Mending) => void;
}

function Against({ reason, person, plane, onMend }: AgainstProps) {
  const words = complianceText();
  const { flights, compliance } = text();
  const nameOfTypes = useTypeNames();
  const { rule, action, subject, needed, missing, source } = reason;
  const ofAircraft = subject === "aircraft";
  const [type] = needed?.any_of ?? [];
  const manages = ofAircraft ? may("compliance:manage", "compliance:manage_aircraft") : may("compliance:manage");
  const lacks = missing.map(({ what, amount, by }) => words.lack(amountOf(what, amount), by && formatDay(by)));
  return (
    <li>
      <div class="row-text">
        <span class="row-title">{sentenceOf(reason, nameOfTypes)}</span>
        <span class="row-detail">{[words.remedies[rule], ...lacks, source?.article].filter(Boolean).join(" · ")}</span>
      </div>
      <div class="row-aside">
        <Badge tone={tones[action]}>{flights.decisions[action]}</Badge>
        {type !== undefined && manages ? (
          <Button
            kind="plain"
            onClick={() => onMend({ type, subject: ofAircraft ? { aircraft_id: plane.id } : { person_id: person.id } })}
          >
            {compliance.enterAction}
            <span class="visually-hidden"> {nameOfTypes([type])}</span>
          </Button>
        ) : (
          <a href={ofAircraft ? `/app/aircraft/${plane.id}` : `/app/people/${person.id}`}>
            {words.mend}
            <span class="visually-hidden"> {flights.rules[rule]}</span>
          </a>
        )}
      </div>
    </li>
  );
}

/** A time in minutes, or so many of what is named. */
function amountOf(what: string, amount: number): string {
  const { needs } = complianceText();
  const name = needs[what] ?? what;
  return what.endsWith("_minutes") ? `${formatDuration(amount)} h ${name}` : `${amount} ${name}`;
}
